import { BytePieces } from '../apimachinery/byte-pieces.ts';
import type { ReceiveWindow } from './receive-window.ts';

/** Takes the body of a request as it comes. */
export interface BodyReader {
  /** There is something to {@link StreamBody.read}, or the end was reached. */
  readable(): void;
  /**
   * The body did not come to its end. @param why the client ended it before what it had announced; undefined: the
   * stream is over
   */
  broken(why: string | undefined): void;
}

/** The body of a request: what came and was not read waits here, within the windows of stream and connection. */
export class StreamBody {
  /** All of it came. */
  ended = false;
  readonly #received = new BytePieces();
  readonly #window: ReceiveWindow;
  readonly #connectionWindow: ReceiveWindow;
  /** What the client said will come; undefined where it did not say. */
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

  /** All of it came and was read. */
  get wasRead(): boolean {
    return this.ended && this.#received.length === 0;
  }

  set reader(reader: BodyReader) {
    this.#reader = reader;
    if (this.#broken) reader.broken(this.#why);
    else if (this.ended || this.#received.length > 0) reader.readable();
  }

  /** What came first of that which was not read yet. */
  read(): Buffer | undefined {
    const chunk = this.#received.shift();
    if (chunk !== undefined) this.#free(chunk.length);
    return chunk;
  }

  /** @param payload without padding @param padding bytes, which count for the window @returns what is wrong with it */
  receive(payload: Buffer, padding: number): 'more than the window' | 'more than announced' | undefined {
    if (!this.#window.take(payload.length + padding)) return 'more than the window';
    if (padding > 0) this.#free(padding);
    this.#came += payload.length;
    if (this.#announced !== undefined && this.#came > this.#announced) return 'more than announced';
    this.#received.push(payload);
    if (payload.length > 0) this.#reader?.readable();
    return undefined;
  }

  /** The client has sent all of it; less than it announced is no body. */
  end(): void {
    this.ended = true;
    if (this.#announced === undefined || this.#announced === this.#came) return this.#reader?.readable();
    this.#broken = true;
    this.#why = `request declared a Content-Length of ${this.#announced} but only wrote ${this.#came} bytes`;
    this.#reader?.broken(this.#why);
  }

  /** Nothing more will come, and nobody will read what came. */
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
