import type { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { BytePieces } from '#shared/apimachinery/bytes/byte-pieces.ts';
import { clientGone, tooLarge } from '#shared/server/exchange/exchange-base.ts';
import { hopWindowBytes } from './hop-protocol.ts';

interface Collector {
  readonly maxBytes: number;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: Error) => void;
}

export interface HopBodyOptions {
  /** Whether the sender waits to be asked for the body: by room for 0 bytes, when it is first read. */
  readonly isAsked: boolean;
  /** Gives the sender room. */
  readonly grant: (bytes: number) => void;
  /** The reader of the stream gave up before its end. */
  readonly abandoned: () => void;
}

/**
 * The body of a request, received in frames. Received bytes are kept (a window at most) until the handler either
 * collects the body or reads it as a stream; then the sender gets room for the bytes that were taken.
 */
export class HopRequestBody {
  readonly #grant: (bytes: number) => void;
  readonly #abandoned: () => void;
  readonly #received = new BytePieces();
  #ungranted = 0;
  #complete: boolean;
  #broken = false;
  #collector: Collector | undefined;
  #stream: Readable | undefined;
  #wanted = false;
  #ended = false;
  #isToAsk: boolean;

  constructor(hasBody: boolean, { isAsked, grant, abandoned }: HopBodyOptions) {
    this.#complete = !hasBody;
    this.#isToAsk = isAsked;
    this.#grant = grant;
    this.#abandoned = abandoned;
  }

  receive(chunk: Buffer): void {
    this.#received.push(chunk);
    if (this.#collector !== undefined) this.#taken(chunk.length);
    this.#pass();
  }

  end(): void {
    this.#complete = true;
    this.#pass();
  }

  /** Breaks the body off: the client or the connection is gone. */
  cut(): void {
    if (this.#complete || this.#broken) return;
    this.#broken = true;
    this.#collector?.reject(clientGone());
    this.#collector = undefined;
    this.#stream?.destroy();
  }

  collect(declaredLength: string | undefined, maxBytes: number): Promise<Buffer> {
    if (declaredLength !== undefined && Number(declaredLength) > maxBytes) return Promise.reject(tooLarge(maxBytes));
    if (this.#complete && this.#received.length <= maxBytes) return Promise.resolve(this.#received.takeAll());
    if (this.#broken) return Promise.reject(clientGone());
    this.#ask();
    return new Promise((resolve, reject) => {
      this.#collector = { maxBytes, resolve, reject };
      this.#taken(this.#received.length);
      this.#pass();
    });
  }

  get stream(): Readable {
    return (this.#stream ??= this.#makeStream());
  }

  #makeStream(): Readable {
    const stream = new Readable({
      read: () => {
        this.#wanted = true;
        this.#ask();
        this.#pass();
      },
      destroy: (error, done) => {
        if (!this.#broken && !this.#ended) this.#abandoned();
        done(error);
      },
    });
    // A body that broke off closes without an end; readers need no listener for errors.
    stream.on('error', () => undefined);
    return stream;
  }

  #ask(): void {
    if (!this.#isToAsk) return;
    this.#isToAsk = false;
    this.#grant(0);
  }

  #pass(): void {
    if (this.#collector !== undefined) this.#passToCollector(this.#collector);
    else if (this.#stream !== undefined) this.#passToStream(this.#stream);
  }

  #passToCollector(collector: Collector): void {
    if (this.#received.length > collector.maxBytes) {
      this.#collector = undefined;
      this.#received.clear();
      collector.reject(tooLarge(collector.maxBytes));
    } else if (this.#complete) {
      this.#collector = undefined;
      collector.resolve(this.#received.takeAll());
    }
  }

  #passToStream(stream: Readable): void {
    while (this.#wanted) {
      const chunk = this.#received.shift();
      if (chunk === undefined) break;
      this.#taken(chunk.length);
      this.#wanted = stream.push(chunk);
    }
    if (!this.#complete || this.#received.length > 0 || this.#ended) return;
    this.#ended = true;
    stream.push(null);
  }

  /** Gives the sender room in large portions: most bodies fit into the first window. */
  #taken(bytes: number): void {
    this.#ungranted += bytes;
    if (this.#complete || this.#ungranted < hopWindowBytes / 2) return;
    this.#grant(this.#ungranted);
    this.#ungranted = 0;
  }
}
