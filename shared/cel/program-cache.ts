import { LRUCache } from 'lru-cache';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Environment } from './check/environment.ts';

/** Bytes of memory that a compiled expression takes for each character of its text (measured: 280 to 740). */
const bytesOfCharacter = 400;
/** Bytes of memory that a compiled expression takes in addition, whatever its length. */
const bytesOfExpression = 1000;

/** Estimates the memory that compiled expressions take, from the total length of their texts. */
export function bytesOfExpressions(count: number, characters: number): number {
  return count * bytesOfExpression + characters * bytesOfCharacter;
}

/** Caches programs, or compile errors, by environment and text; evicts the least recently used ones. */
export class ProgramCache<T extends object> {
  readonly #kept: LRUCache<string, T>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: (_, key) => bytesOfExpressions(1, key.length) });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** @param environment must be immutable: a cached program does not see later changes of the environment's types */
  *get(environment: Environment, text: string, compile: () => Steps<T>): Steps<T> {
    const key = `${environment.id} ${text}`;
    let known = this.#kept.get(key);
    if (known === undefined) {
      known = yield* compile();
      this.#kept.set(key, known);
    }
    return known;
  }
}
