import { readFileSync } from 'node:fs';

/** npm and its likes set it for everything that they run. */
const npmMarker = 'npm_lifecycle_event';
/**
 * Where a shell runs something in the background, it may end and what it started goes on. Of its end in a terminal
 * SIGHUP tells.
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

/** `proc_pid_stat(5)`: ids come again, together with the time of their start they do not. */
interface ProcessEntry {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  readonly session: number;
  readonly startedAt: string;
}

/**
 * The processes on whose behalf this one runs: its parent, and under npm what is above it up to npm. npm passes a
 * signal on to its shell alone, and nobody passes SIGKILL on, so their end has to be looked for. Empty for a process
 * with a session of its own (`setsid`, `detached`), which was meant to outlive its parent, and where there is no /proc.
 */
export function findStarters(): ProcessEntry[] {
  const self = readEntry(process.pid);
  if (self === undefined || self.session === self.pid) return [];
  const parent = readEntry(self.parent);
  const above = parent === undefined || parent.pid === 1 ? [] : [parent];
  let top = above[0];
  // Processes started by npm have its marker in their environment; npm itself, the outermost of them, has not.
  while (top !== undefined && process.env[npmMarker] !== undefined && isRunByNpm(top.pid)) {
    top = readEntry(top.parent);
    if (top !== undefined && top.pid > 1) above.push(top);
  }
  return above.filter(({ name }) => !shells.has(name));
}

/** Calls `onEnd` once, within half a second of the end of any of them. */
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
