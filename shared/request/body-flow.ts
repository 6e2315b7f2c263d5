import type { Readable } from 'node:stream';

export interface BodyTaker {
  onData(chunk: Buffer): void;
  onEnd(): void;
}

/** A body as it arrives, for one taker. A body that breaks off has no end. */
export interface BodyFlow {
  /** Whether the taker has got the end. */
  readonly ended: boolean;
  /** Passes the body to the taker, what has arrived at once. May be called once. */
  start(taker: BodyTaker): void;
  pause(): void;
  resume(): void;
}

/** The flow of a stream. */
export class StreamFlow implements BodyFlow {
  readonly #source: Readable;

  constructor(source: Readable) {
    this.#source = source;
  }

  get ended(): boolean {
    return this.#source.readableEnded;
  }

  start(taker: BodyTaker): void {
    // An earlier `pause` may have paused it.
    this.#source.resume();
    this.#source.on('data', (chunk: Buffer) => taker.onData(chunk));
    this.#source.on('end', () => taker.onEnd());
    if (this.#source.readableEnded) taker.onEnd();
  }

  pause(): void {
    this.#source.pause();
  }

  resume(): void {
    this.#source.resume();
  }
}
