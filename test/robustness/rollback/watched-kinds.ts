import { setTimeout as sleep } from 'node:timers/promises';
import {
  makeInformer,
  type Informer,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node';
import type { ApiClient } from '#test/api-client.ts';
import type { ListedState } from './listed-state.ts';

/** After it an informer is taken to have missed something. */
const patienceMs = 20_000;

/** Kinds that are followed all along, by the key of their resource in states. */
const watchedPaths: ReadonlyMap<string, string> = new Map([
  ['configmaps.', '/api/v1/configmaps'],
  ['secrets.', '/api/v1/secrets'],
  ['services.', '/api/v1/services'],
  ['namespaces.', '/api/v1/namespaces'],
  ['pods.', '/api/v1/pods'],
  ['rolebindings.rbac.authorization.k8s.io', '/apis/rbac.authorization.k8s.io/v1/rolebindings'],
  ['customresourcedefinitions.apiextensions.k8s.io', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'],
]);

type Followed = Informer<KubernetesObject> & { list(): readonly KubernetesObject[] };

/** Informers of client-node, which stay open. */
export class WatchedKinds {
  readonly #informers = new Map<string, Followed>();
  readonly problems: string[] = [];

  async start(config: KubeConfig, client: ApiClient): Promise<void> {
    for (const [key, path] of watchedPaths) {
      let lists = 0;
      const list = async (): Promise<KubernetesListObject<KubernetesObject>> => {
        if (++lists > 1) this.problems.push(`the informer of ${key} listed again`);
        return (await client.send('GET', path)).json as KubernetesListObject<KubernetesObject>;
      };
      const informer = makeInformer(config, path, list) as unknown as Followed;
      this.#informers.set(key, informer);
      informer.on('error', (error: unknown) => this.problems.push(`the informer of ${key}: ${String(error)}`));
      await informer.start();
      let newest = 0;
      for (const verb of ['add', 'update', 'delete'] as const)
        informer.on(verb, ({ metadata }) => {
          const version = Number(metadata?.resourceVersion);
          if (version < newest)
            this.problems.push(`${verb} of ${key}/${metadata?.name}: version ${version} < ${newest}`);
          newest = version;
        });
    }
  }

  /** Waits until the informers hold what a state has. Versions are compared, too. */
  async follow(state: ListedState): Promise<void> {
    for (const [key, informer] of this.#informers) {
      const wanted = versionsIn(
        [...state].filter(([place]) => place.startsWith(`${key}/`)).map(([, object]) => object),
      );
      const endMs = performance.now() + patienceMs;
      while (versionsIn(informer.list()) !== wanted) {
        if (performance.now() > endMs)
          throw new Error(
            [
              `the informer of ${key} holds\n${versionsIn(informer.list())}\ninstead of\n${wanted}`,
              ...this.problems,
            ].join('\n'),
          );
        await sleep(2);
      }
    }
  }

  async stop(): Promise<void> {
    for (const informer of this.#informers.values()) await informer.stop();
  }
}

function versionsIn(objects: readonly { readonly metadata?: VersionFields }[]): string {
  return objects
    .map(({ metadata }) => `${metadata?.namespace} ${metadata?.name} ${metadata?.uid} ${metadata?.resourceVersion}`)
    .toSorted()
    .join('\n');
}

type VersionFields = Pick<NonNullable<KubernetesObject['metadata']>, 'namespace' | 'name' | 'uid' | 'resourceVersion'>;
