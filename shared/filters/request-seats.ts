import type { RequestContext } from '#shared/request/request-context.ts';
import { SendingLimit } from './sending-limit.ts';

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
  readonly #sending: SendingLimit;
  #taken = 0;

  /** @param limit 0 for none */
  constructor(limit: number) {
    this.#limit = limit;
    this.#sending = new SendingLimit(limit);
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
      this.#sending.remove(user.name);
      this.#taken++;
    });
    if (!sending) this.#taken++;
    else if (!this.#sending.add(user.name)) return (sending = false);
    exchange.onAnswer(() => {
      if (!sending) {
        this.#taken--;
        return;
      }
      sending = false;
      this.#sending.remove(user.name);
    });
    return true;
  }
}
