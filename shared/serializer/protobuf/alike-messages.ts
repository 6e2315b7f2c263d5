import { Buffer } from 'node:buffer';
import { closeBrace, openBrace } from '#shared/apimachinery/json/json-punctuation.ts';
import { processCaches } from '#shared/caches/cache-budget.ts';

/** A message with the JSON from which it was encoded. */
export interface AlikeMessage {
  readonly json: Buffer;
  readonly bytes: Buffer;
}

/** Shorter messages are encoded as fast as they are compared. */
const shortest = 96;
const longest = 8 * 1024;
const places = 4;
/** Limit for all instances together: when it is exceeded, all kept messages are discarded. */
const maxBytes = processCaches.share('alike_messages');
/**
 * After `patience` misses in a row, only every `retryEvery`th message is kept, and only the next one is compared with
 * it.
 */
const patience = 8;
const retryEvery = 32;

let keptBytes = 0;
const filled = new Set<AlikeMessages>();

processCaches.register('alike_messages', alikeMessageBytes);

/** How many bytes are kept. */
export function alikeMessageBytes(): number {
  return keptBytes;
}

/**
 * Recently encoded messages of one field, by their place in its list: consecutive objects of a collection have much in
 * common, such as the containers of pods of one template. A JSON text that begins with the whole text of a known object
 * can take that object's message.
 */
export class AlikeMessages {
  readonly #known: (AlikeMessage | undefined)[] = [];
  readonly #misses = new Uint32Array(places);

  /** The message of the object that begins at `at`, the `ordinal`th of its list, if it was encoded recently. */
  find(json: Buffer, at: number, ordinal: number): AlikeMessage | undefined {
    const known = this.#known[ordinal];
    if (known === undefined || !this.#isTime(ordinal)) return undefined;
    const end = at + known.json.length;
    if (end <= json.length && json[end - 1] === closeBrace && known.json.compare(json, at, end) === 0) {
      this.#misses[ordinal] = 0;
      return known;
    }
    return undefined;
  }

  /**
   * Counts a miss, and returns whether the message is to be kept: fields whose messages are never alike then cost
   * little.
   */
  wants(ordinal: number, jsonBytes: number): boolean {
    if (ordinal >= places || jsonBytes < shortest || jsonBytes > longest) return false;
    this.#misses[ordinal] = (this.#misses[ordinal] as number) + 1;
    return this.#isTime(ordinal);
  }

  #isTime(ordinal: number): boolean {
    const misses = this.#misses[ordinal] as number;
    return misses <= patience || misses % retryEvery === 0;
  }

  /** Keeps copies of a message and its JSON. */
  keep(ordinal: number, json: Uint8Array, message: Uint8Array): void {
    if (json[0] !== openBrace) return;
    if (keptBytes + json.length + message.length > maxBytes) forgetAll();
    filled.add(this);
    keptBytes += json.length + message.length - sizeOf(this.#known[ordinal]);
    // One buffer outside of the shared pool, since a kept slice would keep its whole pool allocated.
    const both = Buffer.allocUnsafeSlow(json.length + message.length);
    both.set(json);
    both.set(message, json.length);
    this.#known[ordinal] = { json: both.subarray(0, json.length), bytes: both.subarray(json.length) };
  }

  forget(): void {
    this.#known.length = 0;
  }
}

function sizeOf(message: AlikeMessage | undefined): number {
  return message === undefined ? 0 : message.json.length + message.bytes.length;
}

function forgetAll(): void {
  for (const messages of filled) messages.forget();
  filled.clear();
  keptBytes = 0;
}
