import { sayOfProcess } from '../../shared/observability/process-lines.ts';
import type { Child } from './child.ts';

/** Signals within this time count as one. */
const sameEndMs = 500;

/** Ends all servers in order, once, and says why. */
export class Ending {
  /**
   * Whether the API was ever ready. If it was, the cause of an end that nobody asked for is repeated as the last line.
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

  /** Something that is called when all servers have ended. */
  add(cleanup: () => void): void {
    this.#cleanups.push(cleanup);
  }

  /** What else goes wrong from now on is a consequence, and is not said. */
  endBecause(why: string): void {
    if (this.#cause !== undefined) return;
    this.#cause = why;
    sayOfProcess(why);
    this.end(1, this.isReady ? `ended, because ${why}` : undefined);
  }

  /**
   * A second call ends at once, unless it comes with the first: a terminal tells a whole group of processes, and some of
   * those tell their children again. `last` is written behind everything that the servers write of their end.
   */
  end(code: number, last?: string): void {
    if (this.#sinceMs !== undefined) {
      if (performance.now() - this.#sinceMs < sameEndMs) return;
      for (const child of this.#groups.flat()) child.kill();
      this.#cleanUp();
      process.exit(1);
    }
    this.#sinceMs = performance.now();
    void this.#endInOrder(code, last);
  }

  async #endInOrder(code: number, last: string | undefined): Promise<void> {
    for (const group of this.#groups) await Promise.all(group.map((child) => child.stop(this.#patienceMs)));
    this.#cleanUp();
    if (last !== undefined) sayOfProcess(last);
    process.exit(code);
  }

  #cleanUp(): void {
    for (const cleanup of this.#cleanups) cleanup();
  }
}
