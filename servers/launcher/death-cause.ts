import { readFileSync, writeFileSync } from 'node:fs';

/** What a signal means that no server sends: cause and remedy. */
const causes: ReadonlyMap<NodeJS.Signals, string> = new Map([
  [
    'SIGABRT',
    'Node.js aborts when its heap is full: raise it with NODE_OPTIONS=--max-old-space-size=MEBIBYTES, where the machine has the memory',
  ],
  ['SIGXFSZ', 'a file has reached the largest size that is allowed: raise "ulimit -f" (LimitFSIZE= of systemd)'],
  ['SIGXCPU', 'the processor time that is allowed is used up: raise "ulimit -t" (LimitCPU= of systemd)'],
  [
    'SIGSYS',
    'a system call is forbidden (seccomp): allow it (SystemCallFilter= of systemd, seccomp profile of containers)',
  ],
]);

const outOfMemory =
  'the kernel killed it, as the memory was used up: give the servers more (MemoryMax= of systemd, --memory of docker, limits of a pod); 512 MiB do for a small cluster';

/** More than that of the launcher, which has to be left to tell of it. */
const victimScore = 100;

/** Lets the kernel choose this child rather than the launcher when it needs memory (`proc_pid_oom_score_adj(5)`). */
export function offerAsVictim(pid: number): void {
  try {
    const own = Number(readFileSync('/proc/self/oom_score_adj', 'latin1'));
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(Math.min(1000, own + victimScore)));
  } catch {
    // The system has none, or the child has ended.
  }
}

/** How often the kernel of this machine killed a process for want of memory; undefined where it does not tell. */
export function memoryKills(): number | undefined {
  try {
    const [, count] = /^oom_kill (\d+)$/m.exec(readFileSync('/proc/vmstat', 'latin1')) ?? [];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}

/**
 * Why a signal ended a process, and what to do; undefined where it is not known.
 * @param killsBefore {@link memoryKills} when the process was started
 */
export function deathCause(
  signal: NodeJS.Signals,
  killsBefore: number | undefined,
  kills = memoryKills(),
): string | undefined {
  if (signal !== 'SIGKILL') return causes.get(signal);
  return killsBefore !== undefined && kills !== undefined && kills > killsBefore ? outOfMemory : undefined;
}
