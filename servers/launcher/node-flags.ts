import { nodeWithStack } from './stack-size.ts';

/** Without it SIGUSR1 opens the debugger on 127.0.0.1:9229, to every user of the machine. */
const noSignalFlag = '--disable-sigusr1';

/** Flags of Node.js that every server process runs with, besides the size of its stack (`stack-size.ts`). */
export const nodeFlags: readonly string[] = [
  // Half of V8's default young generation costs no measurable CPU, and saves 10 to 30 MiB for each process under load
  // (test/benchmark/README.md).
  '--max-semi-space-size=8',
  // `globalThis.gc`, with which buffers that were dropped are freed early (shared/apimachinery/bytes).
  '--expose-gc',
  // `node:ffi` is experimental, and everything works without it: no user needs to be told at each start.
  '--disable-warning=ExperimentalWarning',
  noSignalFlag,
];

/** A flag that opens the debugger, as a user gives it to debug. */
const debuggerFlag = /(?:^|\s)--inspect(?:-brk|-wait)?(?:=|\s|$)/;

/** Flags of Node.js for a child process, besides the given ones. */
export function childFlags(given: readonly string[] = process.execArgv): readonly string[] {
  return [...new Set([...missingNodeFlags(given), ...debuggerFlags(given)])];
}

/** Keeps SIGUSR1 from opening a debugger; where a user debugs, each process gets a port of its own for it. */
export function debuggerFlags(given: readonly string[] = process.execArgv, env = process.env): readonly string[] {
  const debugs = debuggerFlag.test([...given, env['NODE_OPTIONS'] ?? ''].join(' '));
  return debugs ? [noSignalFlag, '--inspect-port=0'] : [noSignalFlag];
}

/** The {@link nodeFlags} that are not among the given flags of Node.js; a value that was given is kept. */
export function missingNodeFlags(given: readonly string[] = process.execArgv): readonly string[] {
  const names = new Set(given.map(nameOf));
  return nodeFlags.filter((flag) =>
    flag.startsWith('--disable-warning') ? !given.includes(flag) : !names.has(nameOf(flag)),
  );
}

function nameOf(flag: string): string {
  return flag.split('=', 1)[0] ?? '';
}

/** Replaces this process, by execve, with one that has the flags of a server process; returns if it has them. */
export function takeNodeFlags(): void {
  const { file, args } = nodeWithStack();
  const flags = [...args, ...missingNodeFlags()];
  if (flags.length > 0)
    process.execve?.(file, [file, ...flags, ...process.execArgv, ...process.argv.slice(1)], process.env);
}
