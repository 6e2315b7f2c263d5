import { LRUCache } from 'lru-cache';
import type { DataKey } from './data-key.ts';
import type { EncryptedObject } from './kms-messages.ts';

/** A data key that the plugin decrypted once. */
export interface KnownDataKey {
  readonly dataKey: DataKey;
  /** For metrics. */
  readonly keyIdHash: string;
}

/**
 * There are about as many as starts of servers and changes of the plugin's key since all values were written last; a
 * store that holds more makes more calls.
 */
const maxKnown = 10_000;

type Source = Pick<EncryptedObject, 'encryptedDekSourceType' | 'encryptedDekSource' | 'keyId' | 'annotations'>;

/** Data keys by what is stored of them. Callers that want the same unknown one share a call of the plugin. */
export class DataKeyCache {
  readonly #known = new LRUCache<string, KnownDataKey>({ max: maxKnown });
  readonly #asked = new Map<string, Promise<KnownDataKey>>();

  get size(): number {
    return this.#known.size;
  }

  get(source: Source): KnownDataKey | undefined {
    return this.#known.get(cacheKey(source));
  }

  set(source: Source, known: KnownDataKey): void {
    this.#known.set(cacheKey(source), known);
  }

  /** Rejects as `ask` does; then the next caller asks again. */
  ask(source: Source, ask: () => Promise<KnownDataKey>): Promise<KnownDataKey> {
    const key = cacheKey(source);
    let asked = this.#asked.get(key);
    if (asked === undefined) {
      asked = ask().finally(() => this.#asked.delete(key));
      this.#asked.set(key, asked);
    }
    return asked;
  }
}

/** Each part is preceded by its length, so that no two sources share a key. Annotations are stored in any order. */
function cacheKey({ encryptedDekSourceType, encryptedDekSource, keyId, annotations }: Source): string {
  const named = annotations.map(({ key, value }) => part(key) + part(value.toString('latin1'))).sort();
  return `${encryptedDekSourceType} ${part(encryptedDekSource.toString('latin1'))}${part(keyId)}${named.join('')}`;
}

function part(text: string): string {
  return `${text.length}:${text}`;
}
