import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export interface ProcessLine {
  readonly pid: number;
  readonly args: string;
  /** Which of the servers it is, or empty. */
  readonly server: string;
}

/** A process and all below it. */
export function descendantsOf(pid: number): ProcessLine[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
      return match === null ? [] : [{ pid: Number(match[1]), parent: Number(match[2]), args: (match[3] ?? '').trim() }];
    });
  const found = new Set([pid]);
  // Children may have smaller numbers than their parents.
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
  }
  return rows
    .filter((row) => found.has(row.pid))
    .map((row) => ({
      pid: row.pid,
      args: row.args,
      server: / (gateway|core|extensions|store)(?: |$)/.exec(row.args)?.[1] ?? '',
    }));
}

/**
 * Set once a process runs none of its code any more; what the kernel takes down then (files that are watched) may take
 * 30 ms.
 */
const exitingFlag = 0x4;

/** `ending`: nothing of it runs any more. A process that only waits for its parent to hear of its end has ended. */
export function progressOf(pid: number): 'runs' | 'ending' | 'ended' {
  let stat;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return 'ended';
  }
  const [state = '', , , , , , flags] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return 'ended';
  return (Number(flags) & exitingFlag) === 0 ? 'runs' : 'ending';
}
