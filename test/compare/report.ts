import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { differencesOf } from './differences.ts';

interface Tally {
  compared: number;
  differ: number;
  explained: number;
}

/** Lines of one difference, and characters of a line, that are printed. */
const shownLines = 8;
const shownCharacters = 900;

/** Counts what was compared, part by part, and prints each difference as it is found. */
export class Report {
  readonly #parts = new Map<string, Tally>();
  readonly #shown: number;

  /** @param shown so many differences are printed; all are counted */
  constructor({ shown = Number.POSITIVE_INFINITY }: { readonly shown?: number } = {}) {
    this.#shown = shown;
  }

  get compared(): number {
    return this.#sum('compared');
  }

  get differ(): number {
    return this.#sum('differ');
  }

  /** @param lines where the answers differ: none where they are equal */
  note(part: string, what: string, lines: readonly string[], isExplained = false): void {
    const tally = this.#parts.get(part) ?? { compared: 0, differ: 0, explained: 0 };
    this.#parts.set(part, tally);
    tally.compared += 1;
    if (lines.length === 0) return;
    if (isExplained) tally.explained += 1;
    else {
      if (this.differ < this.#shown)
        console.log([`DIFFERS ${part}: ${what}`, ...lines.slice(0, shownLines).map(shortened)].join('\n    '));
      tally.differ += 1;
    }
  }

  /** Compares two values as they are. */
  equal(part: string, what: string, want: unknown, have: unknown, isExplained = false): void {
    const lines = isDeepStrictEqual(want, have) ? [] : differencesOf(want as JsonValue, have as JsonValue);
    // Values that only differ in what JSON does not show.
    this.note(part, what, isDeepStrictEqual(want, have) || lines.length > 0 ? lines : ['not the same'], isExplained);
  }

  /** Answers by what was asked: each of the reference's must be here. */
  answers<T>(
    part: string,
    want: ReadonlyMap<string, T>,
    have: ReadonlyMap<string, T>,
    isExplained: (what: string, have: T | undefined) => boolean = () => false,
  ): void {
    for (const [what, answer] of want) {
      const other = have.get(what);
      this.equal(part, what, answer, other, isExplained(what, other));
    }
  }

  /** Prints the numbers. Returns the exit code: 1 where something differs, or nothing was compared. */
  finish(): 0 | 1 {
    for (const [part, { compared, differ, explained }] of this.#parts) {
      const known = explained === 0 ? '' : `, ${explained} more in a way that is explained`;
      console.log(`${differ === 0 ? 'equal  ' : 'DIFFERS'} ${part}: ${compared} compared, ${differ} differ${known}`);
    }
    if (this.compared === 0) console.log('nothing was compared');
    return this.differ > 0 || this.compared === 0 ? 1 : 0;
  }

  #sum(key: keyof Tally): number {
    return [...this.#parts.values()].reduce((sum, tally) => sum + tally[key], 0);
  }
}

/** Long lines at their beginning and their end. */
function shortened(line: string): string {
  const half = shownCharacters / 2;
  return line.length <= shownCharacters ? line : `${line.slice(0, half)} … ${line.slice(-half)}`;
}
