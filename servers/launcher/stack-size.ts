import { existsSync, readFileSync } from 'node:fs';

/**
 * Stack size in KiB of a process that parses client input. JSON may be nested 10,000 levels deep, as in Go, and
 * recursive code needs up to 800 bytes of stack for each level. V8's default of 984 KiB is meant for machines with
 * stacks of 1 MiB. Unused parts of the stack take no memory.
 */
const wantedKib = 32 * 1024;
/** Part of the stack that V8 must not use: it is for the environment, and for native code that V8 does not count. */
const reservedKib = 1024;
/** V8's default; a smaller size is never set. */
const usualKib = 984;

const flag = '--stack-size';
const shell = '/bin/sh';
/**
 * Raises the soft limit of the stack, for which Node.js has no function, and replaces the shell by Node.js with the
 * remaining arguments.
 */
const script =
  'node=$1 stack=$2 flag=$3; shift 3; ulimit -S -s "$stack" && exec "$node" "$flag" "$@"; exec "$node" "$@"';

/** A program, and arguments that precede those of the caller. */
export interface NodeCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * The command that starts Node.js with the wanted stack size, as far as the system's limits allow. If `given` contains
 * a stack size already, it is kept.
 */
export function nodeWithStack(given: readonly string[] = process.execArgv, limits = readLimits()): NodeCommand {
  const plain = { file: process.execPath, args: [] };
  const { soft, hard } = stackLimitsKib(limits);
  const stack = Math.min(wantedKib, hard);
  const size = `${flag}=${stack - reservedKib}`;
  if (given.some((argument) => argument.startsWith(flag)) || stack - reservedKib <= usualKib) return plain;
  if (soft >= stack) return { ...plain, args: [size] };
  return existsSync(shell) ? { file: shell, args: ['-c', script, 'sh', process.execPath, String(stack), size] } : plain;
}

/**
 * The limits of `ulimit -s`: the kernel lets the stack of the main thread grow to the soft limit, which can be raised
 * to the hard limit.
 */
function stackLimitsKib(limits: string): { soft: number; hard: number } {
  const [, soft = '0', hard = '0'] = /^Max stack size +(\d+|unlimited) +(\d+|unlimited)/m.exec(limits) ?? [];
  return { soft: kib(soft), hard: kib(hard) };
}

function kib(bytes: string): number {
  return bytes === 'unlimited' ? Number.POSITIVE_INFINITY : Math.floor(Number(bytes) / 1024);
}

/** Reads the limits of the process, see `proc_pid_limits(5)`; empty on systems other than Linux. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}
