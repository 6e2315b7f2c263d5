import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';

export interface ProcessSpec {
  readonly name: string;
  readonly program: string;
  readonly argv: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A line of its output that says that it serves. */
  readonly readyLine: RegExp;
  /** Where {@link SupervisedProcess.setClock} writes; absent where the clock cannot be set. */
  readonly clockFile?: string;
  /** Ends that are no fault of the process, by what it wrote last. */
  readonly mayEnd?: RegExp;
}

const keptOutput = 20_000;
const restartPauseMs = 200;

/** One process of the system with the supervisor that any system has: what ends is started again. */
export class SupervisedProcess {
  readonly name: string;
  /** Ends that nobody asked for, with the end of the output. */
  readonly unexpectedEnds: string[] = [];
  readonly #spec: ProcessSpec;
  #child: ChildProcess | undefined;
  #output = '';
  #ready = Promise.withResolvers<void>();
  #serves = false;
  #killed = false;
  #stopping = false;
  #restartAfterMs = restartPauseMs;

  constructor(spec: ProcessSpec) {
    this.name = spec.name;
    this.#spec = spec;
    this.#start();
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get hasClock(): boolean {
    return this.#spec.clockFile !== undefined;
  }

  get output(): string {
    return this.#output;
  }

  /** The process that runs now has said so. */
  get serves(): boolean {
    return this.#serves;
  }

  /** Resolves when the process that runs now serves; never when it ends before. */
  ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Ends it as a crash would; it is started again after the pause. */
  kill(restartAfterMs: number): void {
    if (this.#child === undefined) return;
    this.#killed = true;
    this.#restartAfterMs = restartAfterMs;
    this.#child.kill('SIGKILL');
  }

  freeze(frozen: boolean): void {
    this.#child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT');
  }

  /** Sets the wall clock wrong by so much; 0: right again. */
  setClock(offsetMs: number): void {
    if (this.#spec.clockFile === undefined) return;
    if (offsetMs === 0) rmSync(this.#spec.clockFile, { force: true });
    else writeFileSync(this.#spec.clockFile, String(offsetMs));
  }

  async stop(patienceMs = 10_000): Promise<void> {
    this.#stopping = true;
    const child = this.#child;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
    clearTimeout(timer);
  }

  #start(): void {
    if (this.#stopping) return;
    const { program, argv, env, readyLine } = this.#spec;
    const child = spawn(program, argv, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
    this.#child = child;
    this.#killed = false;
    let text = '';
    const ready = this.#ready;
    void ready.promise.then(() => {
      this.#serves = true;
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (more: string) => {
        this.#output = (this.#output + more).slice(-keptOutput);
        text = (text + more).slice(-keptOutput);
        if (readyLine.test(text)) ready.resolve();
      });
    }
    child.once('exit', (code, signal) => this.#ended(signal ?? `code ${code}`));
  }

  #ended(how: string): void {
    this.#child = undefined;
    if (this.#stopping) return;
    if (!this.#killed && this.#spec.mayEnd?.test(this.#output) !== true)
      this.unexpectedEnds.push(`${this.name} ended (${how}): ${this.#output.slice(-1500)}`);
    this.#output = '';
    this.#serves = false;
    this.#ready = Promise.withResolvers();
    setTimeout(() => this.#start(), this.#killed ? this.#restartAfterMs : restartPauseMs);
  }
}
