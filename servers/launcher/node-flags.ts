import { nodeWithStack } from './stack-size.ts';

/** Flags of Node.js that every server process runs with, besides the size of its stack (`stack-size.ts`). */
export const nodeFlags: readonly string[] = [
  // Half of V8's default young generation costs no measurable CPU, and saves 10 to 30 MiB for each process under load
  // (test/benchmark/README.md).
  '--max-semi-space-size=8',
  // `globalThis.gc`, with which buffers that were dropped are freed early (shared/apimachinery/bytes).
  '--expose-gc',
  // `node:ffi` is experimental, and everything works without it: no user needs to be told at each start.
  '--disable-warning=ExperimentalWarning',
];

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
