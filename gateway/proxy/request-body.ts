import type { Buffer } from 'node:buffer';
import type { Readable } from 'node:stream';

export interface BodyTaker {
  onData(chunk: Buffer): void;
  onEnd(): void;
}

/**
 * The body of a request that may have to be sent again: what one backend took is kept until it is clear that the backend
 * has begun with the request. That is no more than a backend takes before its word (`hopWindowBytes`).
 */
export class RequestBody {
  readonly #source: Readable;
  #kept: Buffer[] | undefined = [];
  #taker: BodyTaker | undefined;
  #ended = false;
  #listening = false;

  constructor(source: Readable) {
    this.#source = source;
  }

  /** From its beginning. Only before {@link settle}. */
  take(taker: BodyTaker): void {
    this.#taker = taker;
    for (const chunk of this.#kept ?? []) taker.onData(chunk);
    if (this.#ended) return taker.onEnd();
    // Untaken before, it stands still.
    this.#source.resume();
    if (this.#listening) return;
    this.#listening = true;
    this.#source.on('data', (chunk: Buffer) => {
      this.#kept?.push(chunk);
      this.#taker?.onData(chunk);
    });
    this.#source.on('end', () => this.#end());
    if (this.#source.readableEnded) this.#end();
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  /** The taker failed; another may follow. */
  untake(): void {
    this.#taker = undefined;
    this.#source.pause();
  }

  /** Somebody has begun with the request: it will not be sent again. */
  settle(): void {
    this.#kept = undefined;
  }

  /** The rest is read and dropped, or the client's connection would stall. */
  drop(): void {
    this.#taker = undefined;
    this.#kept = undefined;
    if (!this.#source.readableEnded) this.#source.resume();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#taker?.onEnd();
  }
}
