import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { projectRoot } from '#test/quality/source-files.ts';
import { referenceBin } from './programs.ts';

export interface StepResult {
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'left out';
  readonly seconds: number;
  /** Of one that was left out: why, and how to run it. */
  readonly note?: string;
}

export interface StepOptions {
  /** What others need: where it fails, they are left out, and that is no fault of this project. */
  readonly mayFail?: boolean;
  /** It is ended then, since it hangs; by default far above what it takes. */
  readonly timeoutMs?: number;
}

/** Lines and characters of a failed step that are told again at the end. */
const [toldLines, toldCharacters] = [40, 300];
/** A step is ended when it takes ten times as long as planned, and not before a quarter of an hour. */
const [patience, leastTimeoutMinutes, killAfterMs] = [10, 15, 30_000];

/** Steps that are run one after the other: one that fails holds back none, and all failures are told at the end. */
export class Steps {
  readonly results: StepResult[] = [];
  readonly #outputs = mkdtempSync(join(tmpdir(), 'steps-'));
  readonly #failures: { readonly title: string; readonly file: string }[] = [];

  /** @param minutes that it takes on a quiet machine */
  async run(title: string, command: string, minutes: number, options: StepOptions = {}): Promise<void> {
    const { mayFail = false, timeoutMs = Math.max(leastTimeoutMinutes, minutes * patience) * 60_000 } = options;
    console.log(`\n=== ${new Date().toISOString().slice(11, 19)} ${title}\n$ ${command}`);
    const file = join(this.#outputs, String(this.results.length));
    const began = performance.now();
    const { status, timedOut } = await spawnStep(command, file, timeoutMs);
    process.stdout.write(readFileSync(file));
    if (timedOut) console.log(`!!! ENDED: ${title} took more than ${Math.round(timeoutMs / 60_000)} minutes`);
    const seconds = (performance.now() - began) / 1000;
    if (status === 0) this.results.push({ title, outcome: 'passed', seconds });
    else if (mayFail) this.leaveOut(title, 'it failed');
    else {
      console.log(`\n!!! FAILED: ${title}`);
      this.#failures.push({ title, file });
      this.results.push({ title, outcome: 'failed', seconds });
    }
  }

  leaveOut(title: string, note: string): void {
    console.log(`\n!!! LEFT OUT: ${title}: ${note}`);
    this.results.push({ title, outcome: 'left out', seconds: 0, note });
  }

  /** Tells durations and failures, and removes the outputs. @returns the exit code */
  finish(): number {
    console.log('');
    for (const { title, outcome, seconds, note } of this.results)
      console.log(
        `${outcome.padEnd(8)} ${seconds.toFixed(0).padStart(5)} s  ${title}${note === undefined ? '' : `: ${note}`}`,
      );
    for (const { title, file } of this.#failures) {
      const lines = readFileSync(file, 'utf8').trimEnd().split('\n').slice(-toldLines);
      console.log(`\n!!! FAILED: ${title}; its last lines:`);
      for (const line of lines) console.log(line.slice(0, toldCharacters));
    }
    rmSync(this.#outputs, { recursive: true });
    const count = (outcome: StepResult['outcome']): number =>
      this.results.filter((result) => result.outcome === outcome).length;
    const left = count('left out');
    console.log(`\n${count('passed')} passed, ${count('failed')} failed${left === 0 ? '' : `, ${left} left out`}`);
    return this.#failures.length === 0 ? 0 : 1;
  }
}

interface Ended {
  readonly status: number;
  readonly timedOut: boolean;
}

/** Output goes into a file: what a step leaves running could hold a pipe open. */
async function spawnStep(command: string, file: string, timeoutMs: number): Promise<Ended> {
  const output = openSync(file, 'w');
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], {
    cwd: projectRoot,
    // A group of its own, so that all of it can be ended.
    detached: true,
    stdio: ['ignore', output, output],
    env: {
      ...process.env,
      PATH: `${join(projectRoot, 'node_modules', '.bin')}${delimiter}${process.env['PATH']}`,
      REFERENCE_BIN: referenceBin,
    },
  });
  closeSync(output);
  const end = (): void => killGroup(child.pid, 'SIGTERM');
  const interrupted = (): void => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
  let timedOut = false;
  const timers = [
    setTimeout(() => {
      timedOut = true;
      end();
    }, timeoutMs),
    setTimeout(() => killGroup(child.pid, 'SIGKILL'), timeoutMs + killAfterMs),
  ];
  const status = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(127));
    child.once('exit', (code) => resolve(code ?? 1));
  });
  for (const timer of timers) clearTimeout(timer);
  process.off('SIGINT', interrupted).off('SIGTERM', interrupted);
  return { status, timedOut };
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended meanwhile.
  }
}
