import { printProcessLine } from '#shared/observability/process-lines.ts';
import type { Child } from './child.ts';

/** Signals within this time count as one. It is longer than the pause after which the end of npm is noticed. */
const sameEndMs = 1_000;

/** Ends all servers in order, once, and reports why. */
export class ShutdownSequence {
  /**
   * Whether the API was ever ready. If it was, the cause of an end without a signal is repeated as the last log line.
   */
  isReady = false;
  readonly #patienceMs: number;
  readonly #cleanups: (() => void)[] = [];
  #groups: readonly (readonly Child[])[] = [];
  #cause: string | undefined;
  #sinceMs: number | undefined;

  /** `patienceMs`: how long a server may take to end. */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  /** Sets the groups of servers that are ended one after the other. */
  stops(groups: readonly (readonly Child[])[]): void {
    this.#groups = groups;
  }

  /** Adds a function that is called when all servers have ended, or when none is started. */
  add(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** Reports the cause and ends all servers. Later causes are consequences of the first, and are not reported. */
  endBecause(why: string): void {
    if (this.#cause !== undefined) return;
    this.#cause = why;
    printProcessLine(why);
    this.end(1, this.isReady ? `ended, because ${why}` : undefined);
  }

  /**
   * Ends all servers. A second call kills them at once, unless it follows within {@link sameEndMs}: a terminal signals
   * a whole process group, and some of these processes pass the signal on to their children. `last` is logged after all
   * servers have ended.
   */
  end(code: number, last?: string): void {
    if (this.#sinceMs !== undefined) {
      if (performance.now() - this.#sinceMs < sameEndMs) return;
      for (const child of this.#groups.flat()) child.kill();
      this.cleanUp();
      process.exit(1);
    }
    this.#sinceMs = performance.now();
    for (const child of this.#groups.flat()) child.announceEnd();
    void this.#endInOrder(code, last);
  }

  async #endInOrder(code: number, last: string | undefined): Promise<void> {
    for (const group of this.#groups) await Promise.all(group.map((child) => child.stop(this.#patienceMs)));
    this.cleanUp();
    if (last !== undefined) printProcessLine(last);
    process.exit(code);
  }

  cleanUp(): void {
    // Each once, whoever asks first.
    for (const cleanup of this.#cleanups.splice(0)) cleanup();
  }
}
