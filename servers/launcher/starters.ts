import { readFileSync } from 'node:fs';

/** Environment variable that npm and similar tools set for the scripts that they run. */
const npmMarker = 'npm_lifecycle_event';
/**
 * Shells are not watched: a background process should survive the end of its shell. If a terminal is closed, SIGHUP
 * ends the process.
 */
const shells: ReadonlySet<string> = new Set([
  'sh',
  'dash',
  'bash',
  'ash',
  'busybox',
  'zsh',
  'ksh',
  'mksh',
  'fish',
  'csh',
  'tcsh',
]);
const everyMs = 500;

/** An entry of `proc_pid_stat(5)`. A process id may be reused, but not together with its start time. */
interface ProcessEntry {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly session: number;
  readonly startedAt: string;
}

/**
 * The processes that started this one: its parent and, under npm, its ancestors up to npm. npm passes a signal on only
 * to its shell, and SIGKILL is never passed on, so the end of these processes has to be polled. Empty for a process in
 * its own session (`setsid`, `detached`), which is meant to outlive its parent, and on systems without /proc.
 */
export function findStarters(): ProcessEntry[] {
  const self = readEntry(process.pid);
  if (self === undefined || self.session === self.pid) return [];
  const parent = readEntry(self.parent);
  const above = parent === undefined || parent.pid === 1 ? [] : [parent];
  let top = above[0];
  // Processes started by npm have its marker in their environment; npm itself, their outermost ancestor, does not.
  while (top !== undefined && process.env[npmMarker] !== undefined && isRunByNpm(top.pid)) {
    top = readEntry(top.parent);
    if (top !== undefined && top.pid > 1) above.push(top);
  }
  return above.filter(({ name }) => !shells.has(name));
}

/** Calls `onEnd` once, within half a second after any of the processes has ended. */
export function watchStarters(starters: readonly ProcessEntry[], onEnd: () => void): void {
  if (starters.length === 0) return;
  const timer = setInterval(() => {
    if (starters.every(({ pid, startedAt }) => readEntry(pid)?.startedAt === startedAt)) return;
    clearInterval(timer);
    onEnd();
  }, everyMs).unref();
}

/** Reads the entry of a process; undefined if it is gone or a zombie. */
function readEntry(pid: number): ProcessEntry | undefined {
  const text = readIfThere(`/proc/${pid}/stat`);
  const nameEnd = text.lastIndexOf(')');
  if (nameEnd < 0) return undefined;
  const fields = text.slice(nameEnd + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, nameEnd),
    parent: Number(fields[1]),
    session: Number(fields[3]),
    startedAt: fields[19] ?? '',
  };
}

function isRunByNpm(pid: number): boolean {
  return readIfThere(`/proc/${pid}/environ`)
    .split('\0')
    .some((variable) => variable.startsWith(`${npmMarker}=`));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
