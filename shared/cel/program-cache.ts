import { LRUCache } from 'lru-cache';
import type { Steps } from '../apimachinery/slices.ts';
import type { Environment } from './check/environment.ts';

/** What a compiled expression takes for each character of its text (measured: 280 to 740). */
const bytesOfCharacter = 400;
/** And whatever its text is. */
const bytesOfExpression = 1000;

/** About how much memory compiled expressions take, by the lengths of their texts together. */
export function bytesOfExpressions(count: number, characters: number): number {
  return count * bytesOfExpression + characters * bytesOfCharacter;
}

/**
 * What became of texts, programs or what is wrong with them, by environment and text; what nobody asked for lately
 * goes.
 */
export class ProgramCache<T extends object> {
  readonly #kept: LRUCache<string, T>;

  constructor(maxBytes: number) {
    this.#kept = new LRUCache({ maxSize: maxBytes, sizeCalculation: (_, key) => bytesOfExpressions(1, key.length) });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /** @param environment one that stays as it is: what its types become later is not seen */
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
