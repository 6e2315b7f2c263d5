/**
 * Shares one linearizable read among callers. A caller may only be answered by a read that started after it called, so
 * whoever comes while one is in flight joins the next.
 */
export class RevisionCheck {
  readonly #read: () => Promise<number>;
  #running = false;
  #next: Promise<number> | undefined;
  #startNext: (() => void) | undefined;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  current(): Promise<number> {
    if (!this.#running) return this.#run();
    this.#next ??= new Promise((resolve) => {
      this.#startNext = () => resolve(this.#run());
    });
    return this.#next;
  }

  async #run(): Promise<number> {
    this.#running = true;
    try {
      return await this.#read();
    } finally {
      this.#running = false;
      const start = this.#startNext;
      this.#next = undefined;
      this.#startNext = undefined;
      start?.();
    }
  }
}
