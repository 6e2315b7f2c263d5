import type { Buffer } from 'node:buffer';
import { BytePieces } from '#shared/apimachinery/bytes/byte-pieces.ts';
import type { BodyFlow, BodyTaker } from '#shared/request/body-flow.ts';

/**
 * The body of a request that may have to be sent again: the bytes that were sent to a backend are kept until it has
 * begun to process the request. They are at most the first flow-control window (`hopWindowBytes`).
 */
export class ForwardedBody implements BodyTaker {
  /** Whether the client sends the body only when the backend reads it; the head of the request tells the backend so. */
  readonly expectsContinue: boolean;
  readonly #source: BodyFlow;
  #kept: BytePieces | undefined = new BytePieces();
  #taker: BodyTaker | undefined;
  #ended = false;
  #begun = false;

  constructor(source: BodyFlow, expectsContinue = false) {
    this.expectsContinue = expectsContinue;
    this.#source = source;
  }

  /** Passes the body to `taker` from its beginning. May be called only before {@link settle}. */
  take(taker: BodyTaker): void {
    this.#taker = taker;
    if (this.#kept !== undefined && this.#kept.length > 0) taker.onData(this.#keptBytes(this.#kept));
    if (this.#ended) return taker.onEnd();
    // An earlier `untake` may have paused the source.
    if (this.#begun) return this.#source.resume();
    this.#begun = true;
    this.#source.start(this);
  }

  /** Called by the source. */
  onData(chunk: Buffer): void {
    this.#kept?.push(chunk);
    this.#taker?.onData(chunk);
  }

  /** Called by the source. */
  onEnd(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#taker?.onEnd();
  }

  /** Whether the body cannot be sent again. */
  get isSettled(): boolean {
    return this.#kept === undefined;
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }

  /** The kept bytes as one buffer, which stays kept. */
  #keptBytes(kept: BytePieces): Buffer {
    const bytes = kept.takeAll();
    kept.push(bytes);
    return bytes;
  }

  /** Detaches a failed taker; another may follow. */
  untake(): void {
    this.#taker = undefined;
    this.#source.pause();
  }

  /** A backend has begun to process the request, so it will not be sent again. */
  settle(): void {
    this.#kept = undefined;
  }

  /**
   * Reads and discards the rest of the body; otherwise the client's connection would stall. A body that was never taken
   * is not read: its client may wait to be asked for it.
   */
  drop(): void {
    this.#taker = undefined;
    this.#kept = undefined;
    if (this.#begun && !this.#source.ended) this.#source.resume();
  }
}
