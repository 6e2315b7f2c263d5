import { Buffer } from 'node:buffer';
import type { OutgoingHeaders } from '../../../shared/request/exchange.ts';
import { parseAnswerHead, parseTrailers } from './answer-head.ts';

export interface AnswerEvents {
  whole(status: number, headers: OutgoingHeaders, body: Uint8Array | undefined): void;
  head(status: number, headers: OutgoingHeaders): void;
  data(chunk: Uint8Array): void;
  end(trailers: OutgoingHeaders | undefined): void;
}

type State = 'head' | 'length' | 'chunk-size' | 'chunk-data' | 'chunk-end' | 'trailers' | 'close' | 'done';

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');
const maxHeadBytes = 1024 * 1024;
const maxChunkLineBytes = 4096;
const none = Buffer.alloc(0);

/**
 * Reads one HTTP/1.1 answer. Chunks of the body are passed on as views of what came in. {@link push} throws when the
 * bytes are no answer; the connection is of no use then.
 */
export class AnswerParser {
  readonly #method: string;
  readonly #events: AnswerEvents;
  #state: State = 'head';
  #rest: Buffer = none;
  #remaining = 0;
  /** The connection may carry another request once the answer is through. */
  keepAlive = false;

  constructor(method: string, events: AnswerEvents) {
    this.#method = method;
    this.#events = events;
  }

  get started(): boolean {
    return this.#state !== 'head';
  }

  get done(): boolean {
    return this.#state === 'done';
  }

  push(input: Buffer): void {
    let chunk = this.#rest.length > 0 ? Buffer.concat([this.#rest, input]) : input;
    this.#rest = none;
    while (chunk.length > 0 && this.#state !== 'done') {
      const left = this.#step(chunk);
      if (left === undefined) {
        this.#rest = chunk;
        return;
      }
      chunk = left;
    }
    if (chunk.length > 0) this.keepAlive = false;
  }

  /** The peer closed. True when that is how the body ends. */
  closed(): boolean {
    if (this.#state !== 'close') return false;
    this.#finish(undefined);
    return true;
  }

  /** What is left of the chunk, or undefined when more must come before anything can be told. */
  #step(chunk: Buffer): Buffer | undefined {
    switch (this.#state) {
      case 'head': return this.#head(chunk);
      case 'length': return this.#counted(chunk, () => this.#finish(undefined));
      case 'chunk-data': return this.#counted(chunk, () => { this.#state = 'chunk-end'; });
      case 'chunk-size': return this.#chunkSize(chunk);
      case 'chunk-end': {
        if (chunk.length < 2) return undefined;
        this.#state = 'chunk-size';
        return chunk.subarray(2);
      }
      case 'trailers': return this.#trailers(chunk);
      default: {
        this.#events.data(chunk);
        return none;
      }
    }
  }

  #head(chunk: Buffer): Buffer | undefined {
    const end = chunk.indexOf(headEnd);
    if (end < 0) {
      if (chunk.length > maxHeadBytes) throw new Error('the head of the answer is too large');
      return undefined;
    }
    const head = parseAnswerHead(chunk.toString('latin1', 0, end), this.#method);
    const rest = chunk.subarray(end + 4);
    if (head.status < 200) return rest;
    this.keepAlive = head.keepAlive;
    const { framing } = head;
    if (framing.kind === 'none') {
      this.#state = 'done';
      this.#events.whole(head.status, head.headers, undefined);
      return rest;
    }
    if (framing.kind === 'length' && framing.length <= rest.length) {
      this.#state = 'done';
      this.#events.whole(head.status, head.headers, rest.subarray(0, framing.length));
      return rest.subarray(framing.length);
    }
    if (framing.kind === 'length') this.#remaining = framing.length;
    this.#state = framing.kind === 'length' ? 'length' : framing.kind === 'chunked' ? 'chunk-size' : 'close';
    this.#events.head(head.status, head.headers);
    return rest;
  }

  #counted(chunk: Buffer, complete: () => void): Buffer {
    const taken = Math.min(this.#remaining, chunk.length);
    this.#remaining -= taken;
    this.#events.data(taken === chunk.length ? chunk : chunk.subarray(0, taken));
    if (this.#remaining === 0) complete();
    return chunk.subarray(taken);
  }

  #chunkSize(chunk: Buffer): Buffer | undefined {
    const end = chunk.indexOf(lineEnd);
    if (end < 0) {
      if (chunk.length > maxChunkLineBytes) throw new Error('a chunk header without an end');
      return undefined;
    }
    const digits = chunk.toString('latin1', 0, end).split(';', 1)[0]?.trim() ?? '';
    if (!/^[0-9a-fA-F]{1,12}$/.test(digits)) throw new Error(`chunk size ${JSON.stringify(digits.slice(0, 20))}`);
    this.#remaining = Number.parseInt(digits, 16);
    this.#state = this.#remaining === 0 ? 'trailers' : 'chunk-data';
    return chunk.subarray(end + 2);
  }

  #trailers(chunk: Buffer): Buffer | undefined {
    if (chunk.length < 2) return undefined;
    if (chunk[0] === 0x0d && chunk[1] === 0x0a) {
      this.#finish(undefined);
      return chunk.subarray(2);
    }
    const end = chunk.indexOf(headEnd);
    if (end < 0) {
      if (chunk.length > maxHeadBytes) throw new Error('the trailers of the answer are too large');
      return undefined;
    }
    this.#finish(parseTrailers(chunk.toString('latin1', 0, end)));
    return chunk.subarray(end + 4);
  }

  #finish(trailers: OutgoingHeaders | undefined): void {
    this.#state = 'done';
    this.#events.end(trailers);
  }
}
