import { setTimeout as sleep } from 'node:timers/promises';
import {
  makeInformer,
  type Informer,
  type KubeConfig,
  type KubernetesListObject,
  type KubernetesObject,
  type ListWatch,
} from '@kubernetes/client-node';
import type { ApiClient } from '#test/api-client.ts';
import type { ListedObject, ListedState } from './listed-object.ts';
import { listState, stateDifferences } from './listed-state.ts';

/** After it an informer is taken to have missed something. */
const patienceMs = 20_000;
/** After it the state may have changed, and is listed again. */
const relistMs = 1_000;

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

type Followed = Informer<KubernetesObject> & Pick<ListWatch<KubernetesObject>, 'list' | 'latestResourceVersion'>;

/** Informers of client-node, which stay open. */
export class WatchedKinds {
  readonly #informers = new Map<string, Followed>();
  /** How often each has begun to watch. */
  readonly #connects = new Map<string, number>();
  readonly #client: ApiClient;
  readonly problems: string[] = [];

  constructor(client: ApiClient) {
    this.#client = client;
  }

  async start(config: KubeConfig): Promise<void> {
    for (const [key, path] of watchedPaths) {
      let lists = 0;
      const list = async (): Promise<KubernetesListObject<KubernetesObject>> => {
        if (++lists > 1) this.problems.push(`the informer of ${key} listed again`);
        return (await this.#client.send('GET', path)).json as KubernetesListObject<KubernetesObject>;
      };
      const informer = makeInformer(config, path, list) as unknown as Followed;
      this.#informers.set(key, informer);
      informer.on('connect', () => this.#connects.set(key, (this.#connects.get(key) ?? 0) + 1));
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

  /**
   * Waits until the informers hold what a state has. Versions are compared, too. Resolves with the state that they hold:
   * servers may have gone on with the deletion of a definition.
   */
  async follow(state: ListedState): Promise<ListedState> {
    let current = state;
    for (const [key, informer] of this.#informers) {
      const beganMs = performance.now();
      for (let lists = 1; !isHeldBy(informer, key, current); await sleep(2)) {
        const waitedMs = performance.now() - beganMs;
        if (waitedMs > patienceMs) throw new Error([this.#missed(key, informer, current), ...this.problems].join('\n'));
        if (waitedMs < lists * relistMs) continue;
        lists++;
        current = await listState(this.#client);
      }
    }
    if (current !== state)
      this.problems.push(
        ...stateDifferences(state, current).map((text) => `after the rollback and its lists, ${text}`),
      );
    return current;
  }

  #missed(key: string, informer: Followed, state: ListedState): string {
    return [
      `the informer of ${key} holds\n${versionsIn(informer.list())}`,
      `instead of\n${versionsIn(objectsOf(state, key))}`,
      `It is at version ${informer.latestResourceVersion()}, and began to watch ${this.#connects.get(key)} times.`,
    ].join('\n');
  }

  async stop(): Promise<void> {
    for (const informer of this.#informers.values()) await informer.stop();
  }
}

function isHeldBy(informer: Followed, key: string, state: ListedState): boolean {
  return versionsIn(informer.list()) === versionsIn(objectsOf(state, key));
}

function objectsOf(state: ListedState, key: string): readonly ListedObject[] {
  return [...state].filter(([place]) => place.startsWith(`${key}/`)).map(([, object]) => object);
}

function versionsIn(objects: readonly { readonly metadata?: VersionFields }[]): string {
  return objects
    .map(({ metadata }) => `${metadata?.namespace} ${metadata?.name} ${metadata?.uid} ${metadata?.resourceVersion}`)
    .toSorted()
    .join('\n');
}

type VersionFields = Pick<NonNullable<KubernetesObject['metadata']>, 'namespace' | 'name' | 'uid' | 'resourceVersion'>;
