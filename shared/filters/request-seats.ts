import type { RequestContext } from '#shared/request/request-context.ts';

/**
 * A limited number of seats for requests that are being processed. A request holds a seat from the arrival of its
 * body until its answer begins, so a client that sends or reads slowly, or not at all, takes no seat from other
 * clients.
 *
 * Requests whose bodies have not arrived completely are limited to the same number for each user, since the received
 * parts are held in memory. Such a request is served when its body is complete, even if all seats are taken by then.
 */
export class RequestSeats {
  readonly #limit: number;
  readonly #sendingByUser = new Map<string, number>();
  #taken = 0;

  /** @param limit 0 for none */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The number of requests that are being processed. */
  get taken(): number {
    return this.#taken;
  }

  /** False if there is no seat. A seat that was taken is freed when the answer begins. */
  take({ exchange, user }: RequestContext): boolean {
    if (this.#limit === 0) return true;
    if (this.#taken >= this.#limit) return false;
    let sending = exchange.awaitsBody(() => {
      // The request was refused or answered before its body arrived.
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

  /** False if the user already has the allowed number of such requests. */
  #addSending(name: string, change: 1 | -1): boolean {
    const count = (this.#sendingByUser.get(name) ?? 0) + change;
    if (count > this.#limit) return false;
    if (count === 0) this.#sendingByUser.delete(name);
    else this.#sendingByUser.set(name, count);
    return true;
  }
}
