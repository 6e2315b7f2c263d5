import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { unfitExitCode } from '../../shared/files/unfit-file.ts';
import type { FailedMessage } from '../../shared/observability/process-lines.ts';
import { childMarker } from '../../shared/process/child-marker.ts';
import type { OptionsMessage, ReadyMessage } from '../../shared/process/process-link.ts';
import { nodeWithStack } from './stack-size.ts';

const firstPauseMs = 100;
/**
 * Longest pause before a restart: a server that crashed is to be back within 3 s, its start included. It is also below
 * the time for which a call to the store is retried, so that the call outlasts a restart of the store.
 */
const longestPauseMs = 1_000;
/** A process that ran for this long counts as healthy: its next restart begins with the shortest pause again. */
const healthyAfterMs = 30_000;

/**
 * With these a process says that it will end the same way at each start (sysexits.h: EX_DATAERR, the store's file is
 * damaged; EX_CONFIG).
 */
const uselessToRestart: ReadonlySet<number | null> = new Set([65, unfitExitCode]);

/**
 * Half the young generation that V8 would take costs no CPU that could be measured, and saves 10 to 30 MiB a process
 * under load (test/benchmark/README.md). Buffers come and go on several threads: with an arena for each, what is free
 * in one serves no other. Buffers of bodies are given back to the system when they are free: where they lie among
 * others, those of a thousand clients that read nothing stayed with the process for good (test/robustness/README.md).
 */
const memoryFlags = ['--max-semi-space-size=8'];
const memoryVariables = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

export interface ChildOptions {
  /** The sub-command. */
  readonly name: string;
  /** Number of this replica, from 1; messages name it. */
  readonly replica?: number;
  /** Program with the sub-command dispatch. */
  readonly entry: string;
  readonly argv: readonly string[];
  /**
   * The options, sent to the child as soon as they are known; it loads its code meanwhile. Absent if the command line
   * holds all of them.
   */
  readonly message?: Promise<OptionsMessage>;
  readonly report: (line: string) => void;
  /** Called when the child ended and a restart would not help, with the reason. The whole system has to end then. */
  readonly onLost: (why: string) => void;
}

/**
 * One process of the system. States: starting → ready → (ended → pause → starting …) until {@link stop}. A child that
 * ends before it was ever ready is not started again: its settings are wrong.
 */
export class Child {
  readonly #options: ChildOptions;
  readonly #label: string;
  readonly #ready = Promise.withResolvers<ReadyMessage>();
  #process: ChildProcess | undefined;
  #everReady = false;
  #stopping = false;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#label = (options.replica ?? 1) > 1 ? `${options.name}-${options.replica}` : options.name;
    this.#ready.promise.catch(() => undefined);
    this.#start();
  }

  /** The first ready message; rejects when the process ended before. */
  get ready(): Promise<ReadyMessage> {
    return this.#ready.promise;
  }

  /** Asks the process to end and waits for it; after `patienceMs` it is killed. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (child === undefined) return;
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
    clearTimeout(timer);
  }

  kill(): void {
    this.#stopping = true;
    this.#process?.kill('SIGKILL');
  }

  #start(): void {
    const startedMs = performance.now();
    const { name, entry, argv, message } = this.#options;
    // A process group of its own: Ctrl-C in a terminal goes to the launcher, which ends the others in order.
    const node = nodeWithStack();
    const child = fork(entry, [name, ...argv], {
      detached: true,
      execPath: node.file,
      execArgv: [...node.args, ...process.execArgv, ...memoryFlags],
      env: { ...memoryVariables, ...process.env, [childMarker]: '1' },
    });
    this.#process = child;
    message?.then(
      (options) => {
        if (child.connected) child.send(options);
      },
      () => undefined,
    );
    let reason: string | undefined;
    child.on('message', (told: FailedMessage | ReadyMessage) => {
      if (told.type === 'failed') {
        reason = told.reason;
        return;
      }
      this.#everReady = true;
      this.#ready.resolve(told);
    });
    child.on('error', (error) => this.#options.report(`${this.#label} could not be started: ${error.message}`));
    // Not at `exit`: its last message may still be on its way then.
    child.on('close', (code, signal) =>
      this.#ended(startedMs, `${this.#label} ended (${signal ?? `code ${code}`})`, reason, uselessToRestart.has(code)),
    );
  }

  #ended(startedMs: number, how: string, reason: string | undefined, final: boolean): void {
    this.#process = undefined;
    if (this.#stopping) return;
    const { report, onLost } = this.#options;
    const why = reason === undefined ? '' : `: ${reason}`;
    if (!this.#everReady) {
      this.#ready.reject(new Error(`${how} before it was ready${why}`));
      return;
    }
    if (final) {
      onLost(`${how} and cannot go on${why}`);
      return;
    }
    if (performance.now() - startedMs > healthyAfterMs) this.#pauseMs = firstPauseMs;
    report(`${how}, starting it again in ${this.#pauseMs} ms${why}`);
    this.#timer = setTimeout(() => this.#start(), this.#pauseMs);
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
  }
}
