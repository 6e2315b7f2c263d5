import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const strace = 'strace';
/** The name that Node.js gives to threads of `node:worker_threads`; the store has one, which commits. */
const threadName = 'WorkerThread';

/** Whether this machine has strace, and this user may trace. */
export function canHoldCommits(): boolean {
  return spawnSync(strace, ['-o', '/dev/null', 'true'], { stdio: 'ignore' }).status === 0;
}

/**
 * Holds the thread of a store that commits, before its next write to the disk, while the store's other threads go on.
 * @param file only before writes to this file
 * @returns lets it go on
 */
export function holdCommits(pid: number, heldMs: number, file?: string): () => void {
  const thread = threadOf(pid);
  if (thread === undefined) return () => undefined;
  const calls = 'pwrite64,fsync,fdatasync';
  const tracer = spawn(
    strace,
    [
      '-qq',
      '-o',
      '/dev/null',
      '-p',
      thread,
      '-e',
      `trace=${calls}`,
      '-e',
      `inject=${calls}:delay_enter=${heldMs * 1000}`,
      ...(file === undefined ? [] : ['-P', file]),
    ],
    { stdio: 'ignore' },
  );
  // The kernel lets the thread go on when its tracer is gone.
  return () => void tracer.kill('SIGKILL');
}

function threadOf(pid: number): string | undefined {
  try {
    const folder = `/proc/${pid}/task`;
    return readdirSync(folder).find((id) => readFileSync(`${folder}/${id}/comm`, 'utf8').trim() === threadName);
  } catch {
    // The process has ended.
    return undefined;
  }
}
