import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { openSync, readFileSync } from 'node:fs';

/** A child process whose output goes to a file. */
export interface Program {
  readonly pid: number;
  /** Resolves with its exit code when it ends, by itself or by {@link Program.close}; null: by a signal. */
  readonly ended: Promise<number | null>;
  /** Resolves when `probe` first says true. Rejects when the program ended, with the end of its log. */
  until(probe: () => Promise<boolean>): Promise<void>;
  close(): Promise<void>;
}

const probeEveryMs = 20;
const readyWithinMs = 60_000;

/** Starts a program; `log` is the path of the file that takes what it prints. `env` is added to the variables here. */
export function startProgram(
  program: string,
  argv: readonly string[],
  log: string,
  env: Readonly<Record<string, string>> = {},
): Program {
  const file = openSync(log, 'a');
  const child: ChildProcess = spawn(program, argv, {
    stdio: ['ignore', file, file],
    env: { ...process.env, ...env },
  });
  const ended = new Promise<number | null>((resolve) =>
    child.once('exit', (code) => resolve(code)).once('error', () => resolve(null)),
  );
  let running = true;
  void ended.then(() => (running = false));
  return {
    pid: child.pid ?? 0,
    ended,
    async until(probe) {
      const deadline = performance.now() + readyWithinMs;
      while (!(await probe().catch(() => false))) {
        if (!running || performance.now() > deadline)
          throw new Error(`${program} did not get ready:\n${readFileSync(log, 'utf8').slice(-2000)}`);
        await new Promise((resolve) => setTimeout(resolve, probeEveryMs));
      }
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
