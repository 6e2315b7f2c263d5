import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { EmptyMoves } from './empty-moves.ts';
import { Assertion, Op, takesRune, type PatternProgram } from './program.ts';

/** Where a match begins and ends, in UTF-16 units. */
export type Span = readonly [start: number, end: number];

/** Work between two checks of the clock, in visited places (instructions) of the program. */
const workBetweenClockChecks = 16_384;
/** Number of matches that are found between two checks of the clock. */
const roundsBetweenClockChecks = 256;
/**
 * Finding all matches may scan the rest of the text once for each match. After work worth this many scans of the text
 * the search fails.
 */
const maxPasses = 16;

/** Thrown where finding all matches would take too much work. */
export class PatternTooCostly extends Error {}

/** A place (instruction) of the program, and the start of the match that reached it. */
interface Thread {
  readonly place: number;
  readonly start: number;
}

/**
 * Finds matches as Go's regexp does: the leftmost, and of several there the one that the pattern prefers. The machine
 * follows all alternatives at once, in order of preference, so that time is linear in the text and in the pattern.
 */
export class Finder {
  readonly #program: PatternProgram;
  readonly #emptyMoves: EmptyMoves;
  #work = 0;
  #total = 0;

  constructor(program: PatternProgram) {
    this.#program = program;
    this.#emptyMoves = new EmptyMoves(program);
  }

  /** The first match from an index on. */
  *find(text: string, from = 0): Steps<Span | undefined> {
    const { ops, outs } = this.#program;
    let found: Span | undefined;
    let threads: Thread[] = [];
    for (let at = from; ;) {
      const rune = text.codePointAt(at) ?? -1;
      const assertions = assertionsAt(text, at, rune);
      const reached = this.#reach(
        found === undefined ? [...threads, { place: this.#program.start, start: at }] : threads,
        assertions,
      );
      const next: Thread[] = [];
      for (const thread of reached) {
        if (ops[thread.place] === Op.match) {
          found = [thread.start, at];
          break;
        }
        if (rune >= 0 && takesRune(this.#program, thread.place, rune))
          next.push({ place: outs[thread.place] as number, start: thread.start });
      }
      threads = next;
      if (rune < 0 || (found !== undefined && threads.length === 0)) return found;
      at += rune > 0xffff ? 2 : 1;
      this.#work += reached.length + 1;
      if (this.#work < workBetweenClockChecks) continue;
      this.#total += this.#work;
      this.#work = 0;
      if (sliceIsOver()) yield;
    }
  }

  /** At most `most` matches that do not overlap; all if `most` is negative. @throws PatternTooCostly */
  *findAll(text: string, most: number): Steps<Span[]> {
    const spans: Span[] = [];
    const bound = (text.length + 1000) * this.#program.ops.length * maxPasses;
    this.#total = 0;
    let lastEnd = -1;
    let rounds = 0;
    const limit = most < 0 ? Number.POSITIVE_INFINITY : most;
    for (let at = 0; at <= text.length;) {
      if (spans.length >= limit) break;
      if ((++rounds & (roundsBetweenClockChecks - 1)) === 0 && sliceIsOver()) yield;
      const span = yield* this.find(text, at);
      if (span === undefined) break;
      if (this.#total > bound) throw new PatternTooCostly();
      const [start, end] = span;
      const isEmpty = end === at;
      if (!isEmpty || start !== lastEnd) spans.push(span);
      at = isEmpty ? at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) : end;
      lastEnd = end;
    }
    return spans;
  }

  /**
   * The places that are reached from the threads without consuming a character, and that consume one or end a match; in
   * order of preference.
   */
  #reach(threads: readonly Thread[], assertions: number): Thread[] {
    const reached: Thread[] = [];
    this.#emptyMoves.begin();
    for (const { place: first, start } of threads)
      this.#emptyMoves.follow(first, assertions, (place) => reached.push({ place, start }));
    return reached;
  }
}

function assertionsAt(text: string, at: number, rune: number): number {
  const before = at === 0 ? -1 : text.charCodeAt(at - 1);
  return (
    (isWord(before) === isWord(rune) ? Assertion.noWordBoundary : Assertion.wordBoundary) |
    (at === 0 ? Assertion.beginText | Assertion.beginLine : before === 0x0a ? Assertion.beginLine : 0) |
    (rune < 0 ? Assertion.endText | Assertion.endLine : rune === 0x0a ? Assertion.endLine : 0)
  );
}

function isWord(rune: number): boolean {
  return (
    (rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || (rune >= 0x61 && rune <= 0x7a) || rune === 0x5f
  );
}
