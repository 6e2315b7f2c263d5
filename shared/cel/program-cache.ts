import { LRUCache } from 'lru-cache';
import type { Steps } from '../apimachinery/slices.ts';
import type { Environment } from './check/environment.ts';

/** Memory of a compiled expression for each character of its text, in bytes (measured: 280 to 740). */
const bytesOfCharacter = 400;
/** Memory of a compiled expression, whatever its length, in bytes. */
const bytesOfExpression = 1000;

/** About how much memory compiled expressions take, by the lengths of their texts together. */
export function bytesOfExpressions(count: number, characters: number): number {
  return count * bytesOfExpression + characters * bytesOfCharacter;
}

/** Caches programs, or compile errors, by environment and text; evicts those that were not used lately. */
export class ProgramCache<T extends object> {
  readonly #kept: LRUCache<string, T>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: (_, key) => bytesOfExpressions(1, key.length) });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** @param environment must not change: cached programs do not see later changes of its types */
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
