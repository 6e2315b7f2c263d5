import type { RequestContext } from '../request/request-context.ts';

/**
 * Places for requests that are worked on. What only waits for its client holds none: a request has its place from when
 * its body is there until its answer begins, so a client that sends or reads slowly, or not at all, takes nothing from
 * others.
 *
 * Requests whose bodies are still to come are bounded by the same number for each user, since what has come of them
 * lies in memory. When such a body is there, its request is served even where all places were taken meanwhile.
 */
export class Places {
  readonly #limit: number;
  readonly #sendingByUser = new Map<string, number>();
  #taken = 0;

  /** @param limit 0 for none */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Requests that are worked on. */
  get taken(): number {
    return this.#taken;
  }

  /** False when there is no place. One that was taken is given back when its time is over. */
  take({ exchange, user }: RequestContext): boolean {
    if (this.#limit === 0) return true;
    if (this.#taken >= this.#limit) return false;
    let sending = exchange.awaitsBody(() => {
      // Refused or answered before.
      if (!sending) return;
      sending = false;
      this.#addSending(user.name, -1);
      this.#taken++;
    });
    if (!sending) this.#taken++;
    else if (!this.#addSending(user.name, 1)) return (sending = false);
    exchange.onAnswer(() => {
      if (!sending) {
        this.#taken--;
        return;
      }
      sending = false;
      this.#addSending(user.name, -1);
    });
    return true;
  }

  /** False where the user has as many as there may be. */
  #addSending(name: string, change: 1 | -1): boolean {
    const count = (this.#sendingByUser.get(name) ?? 0) + change;
    if (count > this.#limit) return false;
    if (count === 0) this.#sendingByUser.delete(name);
    else this.#sendingByUser.set(name, count);
    return true;
  }
}
