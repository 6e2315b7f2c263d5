import { execFileSync } from 'node:child_process';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeIdentity } from '#shared/authentication/hop-identity.ts';
import type { Cluster } from './cluster.ts';

export type ProcessName = 'store' | 'core' | 'extensions' | 'gateway' | 'controllers';

const readyWithinMs = 30_000;
const probeEveryMs = 20;

/** Process ids of the launcher's children with that name, in the order in which they were started. */
export function processesOf(cluster: Cluster, name: ProcessName): number[] {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return table
    .split('\n')
    .flatMap((line) => {
      const [pid, parent, ...args] = line.trim().split(/\s+/);
      return Number(parent) === cluster.launcher.pid && args.includes(name) ? [Number(pid)] : [];
    })
    .toSorted((a, b) => a - b);
}

/** Process id of one of the launcher's children; undefined while it is away. */
export function processOf(cluster: Cluster, name: ProcessName): number | undefined {
  return processesOf(cluster, name)[0];
}

/** Ends one of the processes at once, as a crash would. */
export function killProcess(cluster: Cluster, name: ProcessName): void {
  const pid = processOf(cluster, name);
  if (pid === undefined) throw new Error(`there is no ${name} process`);
  process.kill(pid, 'SIGKILL');
}

/** Waits until each of `count` processes says on its own socket that it is ready, and `gone` is not one of them. */
export async function untilAllReady(
  cluster: Cluster,
  name: Exclude<ProcessName, 'store' | 'controllers'>,
  count: number,
  gone: number,
): Promise<void> {
  const deadline = performance.now() + readyWithinMs;
  const sockets = Array.from({ length: count }, (_, index) =>
    join(cluster.dataDir, 'run', index === 0 ? `${name}.sock` : `${name}-${index + 1}.sock`),
  );
  for (;;) {
    const pids = processesOf(cluster, name);
    if (pids.length === count && !pids.includes(gone) && (await Promise.all(sockets.map(isReady))).every(Boolean))
      return;
    if (performance.now() > deadline)
      throw new Error(`not all ${name} processes were ready within ${readyWithinMs} ms:\n${cluster.output()}`);
    await sleep(probeEveryMs);
  }
}

function isReady(socketPath: string): Promise<boolean> {
  const headers = [
    'host',
    'localhost',
    ...encodeIdentity({ name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} }),
  ];
  return new Promise((resolve) => {
    request({ socketPath, path: '/readyz', agent: false, setHost: false, headers: headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    })
      .on('error', () => resolve(false))
      .end();
  });
}
