import type { ClientRequest } from '#servers/host/client/public-types.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';

const maxRequests = 10_000;
/** Of a path or a user agent. */
const maxCharacters = 2_048;

interface Recorded extends ClientRequest {
  code?: number;
}

/** The last requests that clients sent to one cluster, with the codes of their answers. */
export class RequestRing {
  readonly #requests: Recorded[] = [];
  #dropped = 0;

  /** How many there were. */
  get count(): number {
    return this.#dropped + this.#requests.length;
  }

  add(exchange: Exchange): void {
    const { method, path, query } = exchange;
    const request: Recorded = {
      method,
      path: (query === '' ? path : `${path}?${query}`).slice(0, maxCharacters),
      userAgent: headerValue(exchange, 'user-agent').slice(0, maxCharacters),
    };
    this.#requests.push(request);
    exchange.onAnswer(() => {
      // A client may have left before.
      if (exchange.statusCode > 0) request.code = exchange.statusCode;
    });
    if (this.#requests.length < 2 * maxRequests) return;
    this.#requests.splice(0, maxRequests);
    this.#dropped += maxRequests;
  }

  /**
   * Those after the first so many, or as many as are kept.
   * @throws Error when some of those that are asked for are not kept any more
   */
  after(count?: number): readonly ClientRequest[] {
    if (count !== undefined && count < this.#dropped)
      throw new Error(
        `more requests were sent since the mark than the last ${this.#requests.length}, which are kept: set a mark later, or roll back to this one`,
      );
    return this.#requests.slice(Math.max(0, (count ?? 0) - this.#dropped));
  }
}
