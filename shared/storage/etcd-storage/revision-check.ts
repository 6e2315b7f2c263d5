import { outsideSpans } from '#shared/spans/active-span.ts';

/** Runs a read for a request, so that etcd is told of the request's trace. */
export type ForRequest = <T>(read: () => T) => T;

/**
 * Shares one linearizable read among callers. A caller may only get the result of a read that started after its call,
 * so a call while a read is in flight waits for the next read.
 */
export class RevisionCheck {
  readonly #read: () => Promise<number>;
  #running = false;
  #next: Promise<number> | undefined;
  #startNext: (() => void) | undefined;
  #nextFor: ForRequest | undefined;

  constructor(read: () => Promise<number>) {
    this.#read = read;
  }

  /** Of the callers of one read, the first with `forRequest` runs it. */
  current(forRequest?: ForRequest): Promise<number> {
    if (!this.#running) return this.#run(forRequest);
    this.#nextFor ??= forRequest;
    this.#next ??= new Promise((resolve) => {
      this.#startNext = () => {
        const runs = this.#nextFor;
        this.#nextFor = undefined;
        resolve(this.#run(runs));
      };
    });
    return this.#next;
  }

  async #run(forRequest: ForRequest = outsideSpans): Promise<number> {
    this.#running = true;
    try {
      return await forRequest(this.#read);
    } finally {
      this.#running = false;
      const start = this.#startNext;
      this.#next = undefined;
      this.#startNext = undefined;
      start?.();
    }
  }
}
