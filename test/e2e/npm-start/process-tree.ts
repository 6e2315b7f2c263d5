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
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    return match === null ? [] : [{ pid: Number(match[1]), parent: Number(match[2]), args: (match[3] ?? '').trim() }];
  });
  const found = new Set([pid]);
  // Children may have smaller numbers than their parents.
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const row of rows) if (found.has(row.parent)) found.add(row.pid);
  }
  return rows.filter((row) => found.has(row.pid)).map((row) => ({ pid: row.pid, args: row.args, server: / (gateway|core|extensions|store)(?: |$)/.exec(row.args)?.[1] ?? '' }));
}

/** A process that only waits for its parent to hear of its end has ended. */
export function isAlive(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return !/\) [ZX] /.test(stat.slice(stat.lastIndexOf(')')));
  } catch {
    return false;
  }
}
