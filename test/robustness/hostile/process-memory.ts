import { readFileSync } from 'node:fs';

/** Resident memory of a process without what it shares with files; 0 where there is no such process, or no /proc. */
export function processMemoryMiB(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^RssAnon:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
