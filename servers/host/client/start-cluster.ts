import type { User } from '#servers/host/messages.ts';
import { HostProcess } from './host-process.ts';

export interface StartClusterOptions {
  /** Flags of kube-apiserver, such as `['--feature-gates=…']`. */
  readonly flags?: readonly string[];
}

/** A state of a cluster that it can be rolled back to. */
export class Mark {
  /** The number by which the host knows it. */
  readonly id: number;

  constructor(id: number) {
    this.id = id;
  }
}

/** A real API server of a test's own. */
export interface TestCluster extends AsyncDisposable {
  readonly url: string;
  /** Path of a kubeconfig whose user is in `system:masters`. */
  readonly kubeconfig: string;
  /** Resolves with the path of a kubeconfig by which a client is this user, with the rights that RBAC gives it. */
  kubeconfigFor(user: User): Promise<string>;
  /** Marks the state now. */
  mark(): Promise<Mark>;
  /** Lets the server forget what only this mark needs. */
  release(mark: Mark): Promise<void>;
  /**
   * Gives all objects their state of the mark again, as one write: watches and informers follow it as any other.
   * Resolves when reads show it, with the number of objects that changed.
   */
  rollback(mark: Mark): Promise<number>;
  /** Ends the cluster, and removes its data. */
  close(): Promise<void>;
}

let host: HostProcess | undefined;

/**
 * Starts a cluster API in a process beside this one, which all clusters of this process share, and which ends with it.
 *
 *     await using cluster = await startCluster();
 *     const config = new KubeConfig();
 *     config.loadFromFile(cluster.kubeconfig);
 *
 * Rejects with what to change when a flag is unknown or the cluster does not start.
 */
export async function startCluster({ flags = [] }: StartClusterOptions = {}): Promise<TestCluster> {
  if (host === undefined || host.hasEnded) host = new HostProcess();
  const running = host;
  const { cluster, url, kubeconfig } = await running.call('start', flags);
  let closing: Promise<void> | undefined;
  const marks = new WeakSet<Mark>();
  const known = (mark: Mark): number => {
    if (!marks.has(mark)) throw new Error('this mark is one of another cluster: set one with mark() of this cluster');
    return mark.id;
  };
  const close = async (): Promise<void> => (closing ??= running.call('close', cluster));
  return {
    url,
    kubeconfig,
    kubeconfigFor: async (user) => running.call('kubeconfigFor', cluster, user),
    async mark() {
      const mark = new Mark(await running.call('mark', cluster));
      marks.add(mark);
      return mark;
    },
    release: async (mark) => running.call('release', cluster, known(mark)),
    rollback: async (mark) => running.call('rollback', cluster, known(mark)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
