import { fork, type ChildProcess, type StdioOptions } from 'node:child_process';
import { childMarker } from '#shared/process/child-marker.ts';
import { childFlags } from './node-flags.ts';
import { nodeWithStack } from './stack-size.ts';

/**
 * Settings of the C library that reduce memory. Two malloc arenas: several threads allocate buffers, and free memory of
 * one arena cannot be used by others. A low mmap threshold: large buffers return to the system when freed. Without it,
 * buffers for a thousand clients that read nothing stayed in the process for good (test/robustness/README.md).
 */
const memoryVariables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

export interface ForkOptions {
  /** The program that dispatches sub-commands. */
  readonly entry: string;
  /** The sub-command with its arguments. */
  readonly argv: readonly string[];
  /** Flags of Node.js, to which those are added that every server has. */
  readonly execArgv: readonly string[];
  readonly stdio: StdioOptions;
  /**
   * Whether it gets a process group of its own: Ctrl-C in a terminal reaches only this process then, which ends its
   * children in order.
   */
  readonly detached: boolean;
  /** Environment variables of its own; those that are undefined are not passed on. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Starts a server process, with a channel for messages. */
export function forkProcess({ entry, argv, execArgv, stdio, detached, env }: ForkOptions): ChildProcess {
  const node = nodeWithStack(execArgv);
  return fork(entry, argv, {
    detached,
    execPath: node.file,
    execArgv: [...node.args, ...execArgv, ...childFlags(execArgv)],
    stdio,
    env: { ...memoryVariables, ...process.env, ...env, [childMarker]: '1' },
  });
}
