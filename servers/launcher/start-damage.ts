/** How long a start may make no progress once damage was told; what it needs of the data fails again and again then. */
const patienceMs = 3_500;

/**
 * Ends a start that damaged data keeps from getting ready: servers ask storage again and again, as they would while it
 * is away. A start that gets ready in spite of the damage serves the rest.
 */
export class StartDamage {
  readonly #end: (why: string) => void;
  #reason: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(end: (why: string) => void) {
    this.#end = end;
  }

  /** A process found damaged data; the last reason is the one that the start ends with. */
  told(reason: string): void {
    const isFirst = this.#reason === undefined;
    this.#reason = reason;
    if (isFirst) this.progressed();
  }

  /** A process got ready. */
  progressed(): void {
    clearTimeout(this.#timer);
    if (this.#isOver || this.#reason === undefined) return;
    this.#timer = setTimeout(() => this.#end(`the servers do not get ready: ${this.#reason}`), patienceMs);
  }

  /** All are ready, or are being ended. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
