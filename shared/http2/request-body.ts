import { BytePieces } from '#shared/apimachinery/bytes/byte-pieces.ts';
import type { ReceiveWindow } from './receive-window.ts';

/** Callbacks of the reader of a request's body. */
export interface BodyReader {
  /** There are bytes to {@link StreamBody.read}, or the body has ended. */
  readable(): void;
  /**
   * The body is incomplete. @param why error text if the client ended it before its Content-Length; undefined if the
   * stream was closed
   */
  broken(why: string | undefined): void;
}

/** The body of a request: holds received bytes until they are read, within the windows of stream and connection. */
export class StreamBody {
  /** Whether the client has ended the body. */
  ended = false;
  readonly #received = new BytePieces();
  readonly #window: ReceiveWindow;
  readonly #connectionWindow: ReceiveWindow;
  /** The Content-Length that the client sent; undefined without one. */
  readonly #announced: number | undefined;
  #came = 0;
  #reader: BodyReader | undefined;
  #broken = false;
  #why: string | undefined;

  constructor(announced: number | undefined, window: ReceiveWindow, connectionWindow: ReceiveWindow) {
    this.#announced = announced;
    this.#window = window;
    this.#connectionWindow = connectionWindow;
  }

  /** Whether the body has ended and all of it was read. */
  get wasRead(): boolean {
    return this.ended && this.#received.length === 0;
  }

  set reader(reader: BodyReader) {
    this.#reader = reader;
    if (this.#broken) reader.broken(this.#why);
    else if (this.ended || this.#received.length > 0) reader.readable();
  }

  /** Removes and returns the oldest unread bytes. */
  read(): Buffer | undefined {
    const chunk = this.#received.shift();
    if (chunk !== undefined) this.#free(chunk.length);
    return chunk;
  }

  /** @param payload without padding @param padding bytes, which count for the window @returns the fault, if any */
  receive(payload: Buffer, padding: number): 'more than the window' | 'more than announced' | undefined {
    if (!this.#window.take(payload.length + padding)) return 'more than the window';
    if (padding > 0) this.#free(padding);
    this.#came += payload.length;
    if (this.#announced !== undefined && this.#came > this.#announced) return 'more than announced';
    this.#received.push(payload);
    if (payload.length > 0) this.#reader?.readable();
    return undefined;
  }

  /** The client has ended the body; fewer bytes than its Content-Length break it. */
  end(): void {
    this.ended = true;
    if (this.#announced === undefined || this.#announced === this.#came) return this.#reader?.readable();
    this.#broken = true;
    this.#why = `request declared a Content-Length of ${this.#announced} but only wrote ${this.#came} bytes`;
    this.#reader?.broken(this.#why);
  }

  /** Discards unread bytes: the stream is closed. A body that has not ended is broken. */
  abandon(): void {
    const unread = this.#received.length;
    this.#received.clear();
    if (unread > 0) this.#connectionWindow.give(unread);
    if (this.ended || this.#broken) return;
    this.#broken = true;
    this.#reader?.broken(undefined);
  }

  #free(bytes: number): void {
    this.#connectionWindow.give(bytes);
    if (!this.ended && !this.#broken) this.#window.give(bytes);
  }
}
