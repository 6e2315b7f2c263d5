import type { Readable } from 'node:stream';
import { BytePieces } from '#shared/apimachinery/bytes/byte-pieces.ts';
import { newRequestEntityTooLarge, newTimeout } from '#shared/apimachinery/errors/status.ts';
import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import { StreamFlow, type BodyFlow } from '#shared/request/body-flow.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';

/** Headers that filters set, and the small state machine that all adapters share. */
export abstract class ExchangeBase {
  /** Names and values in turn: an object that is filled key by key costs more than the few comparisons here. */
  #pending: (string | string[])[] | undefined;
  #listeners: (() => void)[] | undefined;
  #answerListeners: (() => void)[] | undefined;
  #completeListeners: (() => void | Promise<unknown>)[] | undefined;
  #isComplete = false;
  #held: Promise<unknown> | undefined;
  closed = false;
  /** Added by the adapters. */
  answerBytes = 0;
  statusCode = 0;

  get responded(): boolean {
    return this.statusCode !== 0;
  }

  setHeader(name: string, value: string | string[]): void {
    const pending = (this.#pending ??= []);
    const lower = name.toLowerCase();
    const at = placeOf(pending, lower);
    pending[at] = lower;
    pending[at + 1] = value;
  }

  appendHeader(name: string, value: string): void {
    const pending = (this.#pending ??= []);
    const lower = name.toLowerCase();
    const at = placeOf(pending, lower);
    const before = pending[at + 1];
    pending[at] = lower;
    pending[at + 1] = before === undefined ? value : typeof before === 'string' ? [before, value] : [...before, value];
  }

  onClose(listener: () => void): void {
    if (this.closed) queueMicrotask(listener);
    else (this.#listeners ??= []).push(listener);
  }

  onAnswer(listener: () => void): void {
    if (this.closed || this.responded) queueMicrotask(listener);
    else (this.#answerListeners ??= []).push(listener);
  }

  onComplete(listener: () => void | Promise<unknown>): void {
    if (this.#isComplete) queueMicrotask(() => void listener());
    else (this.#completeListeners ??= []).push(listener);
  }

  /**
   * Called by the adapter before it sends the last bytes of an answer. Returns a promise while a listener holds them
   * back; the bytes are then sent by {@link afterwards}.
   */
  complete(): Promise<unknown> | undefined {
    if (this.#isComplete) return this.#held;
    this.#isComplete = true;
    const listeners = this.#completeListeners;
    if (listeners === undefined) return undefined;
    this.#completeListeners = undefined;
    let held: Promise<unknown>[] | undefined;
    for (const listener of listeners) {
      const one = listener();
      if (one !== undefined) (held ??= []).push(one);
    }
    if (held !== undefined)
      this.#held = Promise.allSettled(held).then(() => {
        this.#held = undefined;
      });
    return this.#held;
  }

  /** Sends once nothing holds the bytes back, unless the client is gone by then. */
  afterwards(held: Promise<unknown>, send: () => void): void {
    held
      .then(() => {
        if (!this.closed) send();
      })
      // The answer cannot be written, and nobody is left whom the error could reach.
      .catch(() => this.abandon());
  }

  abstract readonly body: Readable;

  /** Overridden by transports that have no need of a stream. */
  bodyFlow(): BodyFlow {
    return new StreamFlow(this.body);
  }

  /** Overridden by transports that receive the body from the client directly. */
  awaitsBody(_listener: () => void): boolean {
    return false;
  }

  abstract dropClient(): void;

  /** Ends a running answer as if its handler had ended it; destroys the connection if no answer has begun. */
  abstract endNow(): void;

  /** Aborts an answer that is not complete. */
  abstract abandon(): void;

  /** Called by the adapter when the answer is complete or the client is gone. */
  protected markClosed(): void {
    if (this.closed) return;
    this.closed = true;
    this.#notifyAnswer();
    void this.complete();
    const listeners = this.#listeners;
    this.#listeners = undefined;
    if (listeners) for (const listener of listeners) listener();
  }

  /**
   * Marks the exchange as answered, and returns the headers of the answer: its own headers override those of filters.
   */
  protected claim(status: number, headers: OutgoingHeaders): OutgoingHeaders {
    if (this.statusCode !== 0) throw new Error(`the request was already answered with ${this.statusCode}`);
    this.statusCode = status;
    this.#notifyAnswer();
    // Handlers may use the same object for several answers.
    const all = { ...headers };
    const pending = this.#pending;
    if (pending === undefined) return all;
    this.#pending = undefined;
    for (let at = 0; at < pending.length; at += 2) {
      const name = pending[at] as string;
      if (getKey(all, name) === undefined) setKey(all, name, pending[at + 1] as string | string[]);
    }
    return all;
  }

  #notifyAnswer(): void {
    const listeners = this.#answerListeners;
    if (listeners === undefined) return;
    this.#answerListeners = undefined;
    for (const listener of listeners) listener();
  }
}

/** Where a name is in a list of names and values in turn, or where it is to be added. */
function placeOf(pending: readonly (string | string[])[], name: string): number {
  for (let at = 0; at < pending.length; at += 2) if (pending[at] === name) return at;
  return pending.length;
}

/** Total bytes of a body given to `send`. */
export function bodyLength(body: string | Uint8Array | readonly Uint8Array[] | undefined): number {
  if (body === undefined) return 0;
  if (typeof body === 'string') return Buffer.byteLength(body);
  if (body instanceof Uint8Array) return body.byteLength;
  let total = 0;
  for (const chunk of body) total += chunk.byteLength;
  return total;
}

/**
 * Collects a request body. Throws 413 over `maxBytes` (before reading, if the declared length is larger), and an error
 * if the client disconnects during the body.
 */
export function collectBody(stream: Readable, declaredLength: string | undefined, maxBytes: number): Promise<Buffer> {
  if (declaredLength !== undefined && Number(declaredLength) > maxBytes) return Promise.reject(tooLarge(maxBytes));
  if (stream.readableEnded) return Promise.resolve(Buffer.alloc(0));
  return new Promise((resolve, reject) => {
    const pieces = new BytePieces();
    const finish = (error?: Error): void => {
      stream.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      if (error) reject(error);
      else resolve(pieces.takeAll());
    };
    const onData = (chunk: Buffer): void => {
      if (pieces.length + chunk.length > maxBytes) {
        stream.pause();
        finish(tooLarge(maxBytes));
      } else pieces.push(chunk);
    };
    const onEnd = (): void => finish();
    const onError = (): void => finish(clientGone());
    const onClose = (): void => finish(clientGone());
    stream.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

export function tooLarge(maxBytes: number): Error {
  return newRequestEntityTooLarge(`limit is ${maxBytes}`);
}

export function clientGone(): Error {
  return newTimeout('the client went away before the request body was complete', 0);
}
