import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { unusableFileExitCode } from '#shared/files/unusable-file.ts';
import { sameSignalMs, type EndingMessage } from '#shared/observability/end-notice.ts';
import type { DamagedMessage, FailedMessage } from '#shared/observability/process-lines.ts';
import type { NotAcceptingMessage, OptionsMessage, ReadyMessage } from '#shared/process/process-link.ts';
import { deathCause, memoryKills, offerAsVictim } from './death-cause.ts';
import { forkProcess } from './fork-process.ts';

const firstPauseMs = 100;
/**
 * Longest pause before a restart: a crashed server must be ready again within 3 s, including its start. The pause is
 * also shorter than the time for which calls to the store are retried, so that they succeed after a restart of the
 * store.
 */
const longestPauseMs = 1_000;
/** A process that ran for this long counts as healthy: its next restart begins with the shortest pause again. */
const healthyAfterMs = 30_000;

/**
 * Exit codes after which a restart would fail in the same way (sysexits.h: EX_DATAERR for a damaged store, EX_CONFIG).
 */
const uselessToRestart: ReadonlySet<number | null> = new Set([65, unusableFileExitCode]);

/** Signals by which a supervisor ends processes. */
const endSignals: ReadonlySet<NodeJS.Signals | null> = new Set(['SIGTERM', 'SIGINT', 'SIGHUP'] as const);

export interface ChildOptions {
  /** Name of the sub-command. */
  readonly name: string;
  /** Number of this replica, from 1; messages name it. */
  readonly replica?: number;
  /** Path of the program that dispatches sub-commands. */
  readonly entry: string;
  readonly argv: readonly string[];
  /**
   * The options, sent to the child when the promise resolves; the child loads its code meanwhile. Absent if all options
   * are in `argv`.
   */
  readonly message?: Promise<OptionsMessage>;
  /** The descriptor of a socket that the child gets as its {@link socketInChild}. */
  readonly socket?: number | undefined;
  readonly report: (line: string) => void;
  /** Called with the reason when the child ended and a restart would not help. The whole system must end then. */
  readonly onLost: (why: string) => void;
  /** Files and folders that have to be there before the child is started again. Default: only its program. */
  readonly needs?: readonly NeededPath[];
  /** Called when the child found damaged data. */
  readonly onDamaged?: (reason: string) => void;
  /** Called when the child accepts no more connections, or has ended, after {@link Child.stop}. */
  readonly onNotAccepting?: () => void;
}

export interface NeededPath {
  readonly path: string;
  readonly remedy: string;
  /** Whether the whole system has to end where it is gone; otherwise the start waits for it. */
  readonly isFatal?: boolean;
}

/** The descriptor behind standard input, output and error, and the channel of messages. */
export const socketInChild = 4;

/** How often it is looked whether what a child needs is there. */
const missingPauseMs = 1_000;

/**
 * One process of the system. States: starting → ready → (ended → pause → starting …) until {@link stop}. A child that
 * ends before it was ever ready is not restarted, as its settings are probably wrong.
 */
export class Child {
  readonly #options: ChildOptions;
  readonly #label: string;
  readonly #ready = Promise.withResolvers<ReadyMessage>();
  #process: ChildProcess | undefined;
  #everReady = false;
  #stopping = false;
  #accepting = true;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#label = (options.replica ?? 1) > 1 ? `${options.name}-${options.replica}` : options.name;
    this.#ready.promise.catch(() => undefined);
    this.#start();
  }

  /** Resolves with the first ready message; rejects if the process ends before it. */
  get ready(): Promise<ReadyMessage> {
    return this.#ready.promise;
  }

  /** Asks the process to end and waits for it; after `patienceMs` it is killed. */
  async stop(patienceMs: number): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#process;
    if (child === undefined) return this.#acceptsNoMore();
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    child.kill('SIGTERM');
    const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
    await ended;
    clearTimeout(timer);
    this.#acceptsNoMore();
  }

  /**
   * Tells the process that all end, each at its turn ({@link stop}). It ends earlier where it got the same signal as the
   * launcher, and is not started again.
   */
  announceEnd(): void {
    this.#stopping = true;
    clearTimeout(this.#timer);
    if (this.#process !== undefined) send(this.#process, { type: 'ending' });
  }

  kill(): void {
    this.#stopping = true;
    this.#process?.kill('SIGKILL');
  }

  #acceptsNoMore(): void {
    if (this.#accepting) this.#options.onNotAccepting?.();
    this.#accepting = false;
  }

  /** Starts the child again. Where what it needs is gone, the start would only say so in other words. */
  #startAgain(reported = ''): void {
    const { entry, name, needs = [], report, onLost } = this.#options;
    const bundle = entry.endsWith('.js') ? [join(dirname(entry), `${name}.js`)] : [];
    const programs = [entry, ...bundle].map((path): NeededPath => ({ path, remedy: 'install Quarterdeck again' }));
    const missing = [...needs, ...programs].find(({ path }) => !existsSync(path));
    if (missing === undefined) return this.#start();
    const why = `${this.#label} cannot be started again, as ${missing.path} is gone: ${missing.remedy}`;
    if (missing.isFatal === true) return onLost(why);
    if (missing.path !== reported) report(why);
    this.#timer = setTimeout(() => this.#startAgain(missing.path), missingPauseMs);
  }

  #start(): void {
    const startedMs = performance.now();
    const killsBefore = memoryKills();
    const { name, entry, argv, message, socket } = this.#options;
    const child = forkProcess({
      entry,
      argv: [name, ...argv],
      execArgv: process.execArgv,
      stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...(socket === undefined ? [] : [socket])],
      detached: true,
    });
    this.#process = child;
    if (child.pid !== undefined) offerAsVictim(child.pid);
    message?.then(
      (options) => {
        send(child, options);
      },
      () => undefined,
    );
    let reason: string | undefined;
    child.on('message', (received: DamagedMessage | FailedMessage | NotAcceptingMessage | ReadyMessage) => {
      if (received.type === 'damaged') return this.#options.onDamaged?.(received.reason);
      if (received.type === 'failed') {
        reason = received.reason;
        return;
      }
      if (received.type === 'not-accepting') {
        if (this.#stopping) this.#acceptsNoMore();
        return;
      }
      this.#everReady = true;
      this.#ready.resolve(received);
    });
    // Where the process was not made at all, as without a free descriptor, Node.js does not always say `close`.
    child.on('error', (error) => {
      if (child.pid === undefined) this.#ended(startedMs, `${this.#label} could not be started`, error.message, false);
      else this.#options.report(`${this.#label}: ${error.message}`);
    });
    // `close` instead of `exit`, as the child's last message may arrive after `exit`.
    child.on('close', (code, signal) => {
      if (child.pid === undefined) return;
      if (signal !== null) reason ??= deathCause(signal, killsBefore);
      const judge = (): void =>
        this.#ended(
          startedMs,
          `${this.#label} ended (${signal ?? `code ${code}`})`,
          reason,
          uselessToRestart.has(code),
        );
      if (code !== 0 && !endSignals.has(signal)) return judge();
      // The launcher may be about to get the same signal.
      this.#process = undefined;
      this.#timer = setTimeout(judge, sameSignalMs);
    });
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
    this.#timer = setTimeout(() => this.#startAgain(), this.#pauseMs);
    this.#pauseMs = Math.min(longestPauseMs, this.#pauseMs * 2);
  }
}

/** Sends a message to a process that may end at the same time. */
function send(child: ChildProcess, message: EndingMessage | OptionsMessage): void {
  if (child.connected) child.send(message, () => undefined);
}
