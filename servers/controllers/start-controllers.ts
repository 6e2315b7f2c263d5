import type { ControllerName } from '#shared/server/options/controller-flags.ts';
import type { OwnServer } from '#shared/webhooks/own-server.ts';
import { defaultAccount, rootCertificates } from './accounts/kept-kinds.ts';
import { KeptObject, type KeptKind } from './accounts/kept-object.ts';
import { ApiClient } from './client/api-client.ts';
import { controllerUser, managerUser } from './client/controller-user.ts';
import type { MetaObject } from './client/meta-object.ts';
import type { NamespaceObject } from './client/namespace-object.ts';
import { ResourceFollower } from './client/resource-follower.ts';
import { FollowAll } from './garbage/follow-all.ts';
import { GarbageCollector } from './garbage/garbage-collector.ts';
import { NamespaceController } from './namespaces/namespace-controller.ts';
import { Turns } from './work/turns.ts';

export interface ControllersOptions {
  readonly names: readonly ControllerName[];
  /** A gateway of this machine. */
  readonly server: OwnServer;
  /** Certificates by which pods verify the API server, PEM. */
  readonly rootBundle: string;
  /**
   * Whether the garbage collector follows all resources from the beginning. Otherwise it follows those that
   * {@link RunningControllers.followKind} names, and their owners.
   */
  readonly followsAll: boolean;
  readonly reportError: (message: string, error: unknown) => void;
}

export interface RunningControllers {
  /** Resolves when the namespaces that were there at first have what every namespace has to have. */
  readonly settled: Promise<void>;
  /** Keeps writes of controllers and rollbacks apart. */
  readonly turns: Turns;
  /** Has the garbage collector follow the objects of a kind. */
  followKind(apiVersion: string, kind: string): void;
  /** Has it follow all resources. */
  followAll(): void;
  close(): void;
}

/** Starts controllers. What they need from the API they ask for again until it is there. */
export function startControllers(options: ControllersOptions): RunningControllers {
  const turns = new Turns();
  const closers: (() => void)[] = [() => options.server.close()];
  const settled = startNamespaced(options, turns, closers);
  const { followKind, followAll } = startCollector(options, turns, closers);
  if (options.followsAll) followAll();
  return {
    settled,
    turns,
    followKind,
    followAll,
    close: () =>
      closers
        .splice(0)
        .toReversed()
        .forEach((end) => end()),
  };
}

/** Starts those that look after each namespace, which share one watch. Resolves as `settled`. */
async function startNamespaced(
  { names, server, rootBundle, reportError }: ControllersOptions,
  turns: Turns,
  closers: (() => void)[],
): Promise<void> {
  if (names.every((name) => name === 'garbage-collector-controller')) return;
  const has = (name: ControllerName): boolean => names.includes(name);
  const reader = new ApiClient(server, managerUser, agentOf('shared-informers'));
  const takers: ((namespace: NamespaceObject) => void)[] = [];
  const namespaces = new ResourceFollower<NamespaceObject>({
    client: reader,
    path: '/api/v1/namespaces',
    onSet: (namespace) => takers.forEach((take) => take(namespace)),
    onRemoved: () => undefined,
    onError: (error) => reportError('namespaces cannot be followed', error),
  });
  closers.push(() => namespaces.close());
  const settled: Promise<void>[] = [];
  const keep = <T extends MetaObject>(kind: KeptKind<T>, account: string): void => {
    const client = clientOf(server, account);
    const kept = new KeptObject<T>({ kind, client, reader, namespaces, turns, reportError });
    takers.push((namespace) => kept.take(namespace));
    settled.push(kept.settled);
    closers.push(() => kept.close());
  };
  if (has('serviceaccount-controller')) keep(defaultAccount, 'service-account-controller');
  if (has('root-ca-certificate-publisher-controller')) keep(rootCertificates(rootBundle), 'root-ca-cert-publisher');
  if (has('namespace-controller')) {
    const controller = new NamespaceController({
      client: clientOf(server, 'namespace-controller'),
      turns,
      reportError,
    });
    takers.push((namespace) => controller.take(namespace));
    closers.push(() => controller.close());
  }
  await Promise.all(settled);
}

function startCollector(
  { names, server, reportError }: ControllersOptions,
  turns: Turns,
  closers: (() => void)[],
): Pick<RunningControllers, 'followKind' | 'followAll'> {
  if (!names.includes('garbage-collector-controller'))
    return { followKind: () => undefined, followAll: () => undefined };
  const client = clientOf(server, 'generic-garbage-collector');
  const collector = new GarbageCollector({ client, turns, reportError });
  closers.push(() => collector.close());
  let all: FollowAll | undefined;
  closers.push(() => all?.close());
  return {
    followKind: (apiVersion, kind) => void collector.followKind(apiVersion, kind),
    followAll: () => void (all ??= new FollowAll(client, collector, reportError)),
  };
}

/** A client with the rights of a service account of kube-system. */
function clientOf(server: OwnServer, account: string): ApiClient {
  return new ApiClient(server, controllerUser(account), agentOf(account));
}

function agentOf(name: string): string {
  return `quarterdeck-controllers/${name}`;
}
