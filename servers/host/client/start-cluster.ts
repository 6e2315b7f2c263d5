import { flagsOfCluster } from './cluster-flags.ts';
import { findHost } from './find-host.ts';
import type { HostCalls } from './host-calls.ts';
import type { HostedAddress } from './messages.ts';
import type { Mark, StartCluster, TestCluster } from './public-types.ts';

export const startCluster: StartCluster = async (options = {}) => {
  const flags = flagsOfCluster(options);
  const host = await findHost();
  return connect(host, await host.call('start', flags));
};

/** The methods of a cluster that runs in a host. */
function connect(running: HostCalls, { cluster, url, kubeconfig }: HostedAddress): TestCluster {
  let closing: Promise<void> | undefined;
  const marks = new WeakSet<Mark>();
  const known = (mark: Mark): number => {
    if (!marks.has(mark)) throw new Error('this mark is one of another cluster: set one with mark() of this cluster');
    return mark.id;
  };
  const close = async (): Promise<void> => {
    // With its host the cluster has ended.
    if (!running.hasEnded) await (closing ??= running.call('close', cluster));
  };
  return {
    url,
    kubeconfig,
    kubeconfigFor: async (user) => running.call('kubeconfigFor', cluster, user),
    async mark() {
      const mark: Mark = Object.freeze({ id: await running.call('mark', cluster) });
      marks.add(mark);
      return mark;
    },
    release: async (mark) => running.call('release', cluster, known(mark)),
    rollback: async (mark) => running.call('rollback', cluster, known(mark)),
    fork: async () => connect(running, await running.call('fork', cluster)),
    close,
    [Symbol.asyncDispose]: close,
  };
}
