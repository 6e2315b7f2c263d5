import { execFileSync } from 'node:child_process';
import type { Cluster } from './cluster.ts';

export type ProcessName = 'store' | 'core' | 'extensions' | 'gateway';

/** Process id of one of the launcher's children; undefined while it is away. */
export function processOf(cluster: Cluster, name: ProcessName): number | undefined {
  const table = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  for (const line of table.split('\n')) {
    const [pid, parent, ...args] = line.trim().split(/\s+/);
    if (Number(parent) === cluster.launcher.pid && args.includes(name)) return Number(pid);
  }
  return undefined;
}

/** Ends one of the processes at once, as a crash would. */
export function killProcess(cluster: Cluster, name: ProcessName): void {
  const pid = processOf(cluster, name);
  if (pid === undefined) throw new Error(`there is no ${name} process`);
  process.kill(pid, 'SIGKILL');
}
