import { Buffer } from 'node:buffer';
import { closeBrace, openBrace } from '../../apimachinery/json-punctuation.ts';
import { processCaches } from '../../caches/cache-budget.ts';

/** A message with the JSON that it was made of. */
export interface AlikeMessage {
  readonly json: Buffer;
  readonly bytes: Buffer;
}

/** Shorter ones are made as fast as they are compared. */
const shortest = 96;
const longest = 8 * 1024;
const places = 4;
/** Of all of them: what is kept beyond is forgotten at once. */
const maxBytes = processCaches.share('alike_messages');
/** After so many in a row that were like nothing, only every so many-th is kept, and only the one after it compared. */
const patience = 8;
const retryEvery = 32;

let keptBytes = 0;
const filled = new Set<AlikeMessages>();

processCaches.tell('alike_messages', alikeMessageBytes);

/** How many bytes are kept. */
export function alikeMessageBytes(): number {
  return keptBytes;
}

/**
 * Messages that were made of late for one field, by their place in its list: objects that follow each other in a
 * collection have much in common, such as the containers of pods of one template. A text that begins with a whole
 * object means the same as that object.
 */
export class AlikeMessages {
  readonly #known: (AlikeMessage | undefined)[] = [];
  readonly #misses = new Uint32Array(places);

  /** The message of the object that begins at `at`, the `ordinal`th of its list, if it was made of late. */
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

  /** Whether what was not found is to be kept: counts those, so that what is never alike costs little. */
  wants(ordinal: number, jsonBytes: number): boolean {
    if (ordinal >= places || jsonBytes < shortest || jsonBytes > longest) return false;
    this.#misses[ordinal] = (this.#misses[ordinal] as number) + 1;
    return this.#isTime(ordinal);
  }

  #isTime(ordinal: number): boolean {
    const misses = this.#misses[ordinal] as number;
    return misses <= patience || misses % retryEvery === 0;
  }

  /** Keeps copies. */
  keep(ordinal: number, json: Uint8Array, message: Uint8Array): void {
    if (json[0] !== openBrace) return;
    if (keptBytes + json.length + message.length > maxBytes) forgetAll();
    filled.add(this);
    keptBytes += json.length + message.length - sizeOf(this.#known[ordinal]);
    // One buffer, and not of the shared pool: what is kept would keep its neighbours.
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
