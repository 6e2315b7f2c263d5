/**
 * Shares one linearizable read among callers. A caller may only get the result of a read that started after its call,
 * so a call while a read is in flight waits for the next read.
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
