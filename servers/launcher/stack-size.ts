import { existsSync, readFileSync } from 'node:fs';

/**
 * The stack of a process that reads what clients send, in KiB. JSON is nested up to 10,000 levels deep, as Go reads it,
 * and what walks through it takes up to 800 bytes a level; V8's own 984 KiB are for machines with stacks of a MiB. What
 * a request does not reach of it takes no memory.
 */
const wantedKib = 32 * 1024;
/** The part of the stack that is left for the environment, and for code whose use V8 does not count. */
const reservedKib = 1024;
/** V8's own; less is not asked for. */
const usualKib = 984;

const flag = '--stack-size';
const shell = '/bin/sh';
/** Raises the soft limit of the stack, which no function of Node.js does, and becomes the program that follows. */
const script =
  'node=$1 stack=$2 flag=$3; shift 3; ulimit -S -s "$stack" && exec "$node" "$flag" "$@"; exec "$node" "$@"';

/** A program with the arguments before those of the caller. */
export interface NodeCommand {
  readonly file: string;
  readonly args: readonly string[];
}

/**
 * How Node.js is started with the stack that it needs, as far as the machine allows; as it is where a size is `given`
 * already.
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
 * `ulimit -s`, soft and hard: up to where the kernel lets the stack of the main thread grow, and up to where that may
 * be raised.
 */
function stackLimitsKib(limits: string): { soft: number; hard: number } {
  const [, soft = '0', hard = '0'] = /^Max stack size +(\d+|unlimited) +(\d+|unlimited)/m.exec(limits) ?? [];
  return { soft: kib(soft), hard: kib(hard) };
}

function kib(bytes: string): number {
  return bytes === 'unlimited' ? Number.POSITIVE_INFINITY : Math.floor(Number(bytes) / 1024);
}

/** `proc_pid_limits(5)`; empty where there is no Linux. */
function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return '';
  }
}

/** Runs this process again with the stack that it needs, in its place and under its id; goes on where it has it. */
export function takeStack(): void {
  const { file, args } = nodeWithStack();
  if (args.length > 0)
    process.execve?.(file, [file, ...args, ...process.execArgv, ...process.argv.slice(1)], process.env);
}
