import { checkOptions, flagsOfCluster } from './cluster-flags.ts';
import { findHost } from './find-host.ts';
import type { HostCalls } from './host-calls.ts';
import { startHostProcess } from './host-process.ts';
import { manifestSource } from './manifest-source.ts';
import type { HostedAddress } from './messages.ts';
import type { KubernetesObject, Mark, StartCluster, TestCluster } from './public-types.ts';
import { repeatableArgv } from './repeatable-argv.ts';
import { runningTestName } from './test-name.ts';

export const startCluster: StartCluster = async (options = {}) => {
  checkOptions(options);
  const flags = flagsOfCluster(options);
  const argv = repeatableArgv(options);
  if (argv !== undefined) return startRepeatable(argv, flags);
  const host = await findHost();
  return connect(host, await host.call('start', flags, options.processes === 'separate'));
};

/** Starts a cluster in a process of its own, which ends with it. */
async function startRepeatable(argv: readonly string[], flags: readonly string[]): Promise<TestCluster> {
  const host = startHostProcess(argv);
  try {
    const cluster = connect(host.calls, await host.calls.call('start', flags));
    const close = async (): Promise<void> => host.end();
    return { ...cluster, close, [Symbol.asyncDispose]: close };
  } catch (error) {
    await host.end();
    throw error;
  }
}

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
    apply: async (manifests) =>
      (await running.call('apply', cluster, manifestSource(manifests))) as readonly KubernetesObject[],
    namespace: async () => running.call('namespace', cluster, runningTestName()),
    requests: async (mark) =>
      mark === undefined ? running.call('requests', cluster) : running.call('requests', cluster, known(mark)),
    async printOnFailure(body) {
      try {
        return await body();
      } catch (error) {
        // A cluster that does not answer is told, too; what the test found is thrown all the same.
        console.error(await running.call('tellLast', cluster).catch((failure: Error) => failure.message));
        throw error;
      }
    },
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
