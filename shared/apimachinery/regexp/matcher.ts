import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { EmptyMoves } from './empty-moves.ts';
import { Assertion, Op, takesRune, type PatternProgram } from './program.ts';

/** Cache limit of all patterns together, in words of memory: 16 MB. Beyond it the caches are emptied. */
const maxWords = 2_000_000;
/** Words of memory that a state without its places takes, and those that a transition takes. */
const wordsOfState = 160;
const wordsOfTransition = 4;
let words = 0;
const remembering = new Set<Matcher>();

function remember(matcher: Matcher, more: number): void {
  if ((words += more) > maxWords) {
    for (const other of remembering) other.forget();
    remembering.clear();
    words = more;
  }
  remembering.add(matcher);
}

/** Work between two checks of the clock, in characters that were looked up. */
const workBetweenClockChecks = 4096;
/** Cost of computing a transition, in looked up characters for each place (instruction) that the state reaches. */
const costOfPlace = 4;
/** Transitions of characters below this number are kept in a table, others in a map. */
const tableLength = 128;

const atBegin = 0;
const afterLine = 1;
const afterWord = 2;
const afterOther = 3;
const end = -1;

/** The places (instructions) where the machine can be before the next character, and the kind of the last character. */
interface State {
  readonly places: readonly number[];
  readonly after: number;
  readonly table: (State | undefined)[];
  more: Map<number, State> | undefined;
  /** Whether a text that ends here matches; undefined until it is computed. */
  atEnd: boolean | undefined;
}

/** The state of a text that matches, whatever follows. */
const matched: State = { places: [], after: atBegin, table: [], more: undefined, atEnd: undefined };

/**
 * Tests whether a text contains a match of a pattern, as Go's regexp does. Time is linear in the text and in the
 * pattern, and memory is bounded: the machine follows all alternatives at once, and caches each set of places that it
 * reached with the transitions from it.
 */
export class Matcher {
  readonly #program: PatternProgram;
  #begin: State | undefined;
  readonly #states = new Map<string, State>();
  readonly #emptyMoves: EmptyMoves;
  #work = 0;

  constructor(program: PatternProgram) {
    this.#program = program;
    this.#emptyMoves = new EmptyMoves(program);
  }

  *matches(text: string): Steps<boolean> {
    let state = this.#first();
    for (let at = 0; at < text.length; at++) {
      let rune = text.charCodeAt(at);
      if (rune >= 0xd800 && rune < 0xdc00) {
        rune = text.codePointAt(at) ?? rune;
        if (rune > 0xffff) at++;
      }
      state = (rune < tableLength ? state.table[rune] : state.more?.get(rune)) ?? this.#follow(state, rune);
      if (state === matched) return true;
      if (++this.#work < workBetweenClockChecks) continue;
      this.#work = 0;
      if (sliceIsOver()) yield;
    }
    return this.#atEnd(state);
  }

  #first(): State {
    return (this.#begin ??= this.#stateOf([], atBegin));
  }

  #atEnd(state: State): boolean {
    return (state.atEnd ??= this.#follow(state, end) === matched);
  }

  /**
   * The state after a character. The caches may have been emptied since the state was created: its transitions stay
   * valid.
   */
  #follow(state: State, rune: number): State {
    const next = this.#next(state, rune);
    if (rune === end) return next;
    remember(this, wordsOfTransition);
    if (rune < tableLength) state.table[rune] = next;
    else (state.more ??= new Map()).set(rune, next);
    return next;
  }

  #next(state: State, rune: number): State {
    const program = this.#program;
    const reached = this.#closureOf(state.places, assertionsBetween(state.after, rune));
    if (reached === undefined) return matched;
    this.#work += reached.length * costOfPlace;
    const places: number[] = [];
    if (rune !== end)
      for (const place of reached) if (takesRune(program, place, rune)) places.push(program.outs[place] as number);
    return this.#stateOf(places, kindOf(rune));
  }

  #stateOf(places: number[], after: number): State {
    const sorted = [...new Set(places)].sort((a, b) => a - b);
    const key = `${after}:${sorted.join()}`;
    let state = this.#states.get(key);
    if (state === undefined) {
      state = { places: sorted, after, table: [], more: undefined, atEnd: undefined };
      remember(this, wordsOfState + sorted.length * 2);
      this.#states.set(key, state);
    }
    return state;
  }

  forget(): void {
    this.#begin = undefined;
    this.#states.clear();
  }

  /**
   * The places that consume a character and are reached without consuming one; undefined where a match is reached. A
   * match may begin anywhere.
   */
  #closureOf(places: readonly number[], assertions: number): number[] | undefined {
    const { ops, start } = this.#program;
    const reached: number[] = [];
    let ends = false;
    const add = (place: number): void => {
      ends ||= ops[place] === Op.match;
      reached.push(place);
    };
    this.#emptyMoves.begin();
    this.#emptyMoves.follow(start, assertions, add);
    for (const place of places) this.#emptyMoves.follow(place, assertions, add);
    return ends ? undefined : reached;
  }
}

function kindOf(rune: number): number {
  return rune === 0x0a ? afterLine : isWord(rune) ? afterWord : afterOther;
}

function assertionsBetween(after: number, rune: number): number {
  const boundary = (after === afterWord) === isWord(rune) ? Assertion.noWordBoundary : Assertion.wordBoundary;
  return (
    boundary |
    (after === atBegin ? Assertion.beginText | Assertion.beginLine : after === afterLine ? Assertion.beginLine : 0) |
    (rune === end ? Assertion.endText | Assertion.endLine : rune === 0x0a ? Assertion.endLine : 0)
  );
}

function isWord(rune: number): boolean {
  return (
    (rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || (rune >= 0x61 && rune <= 0x7a) || rune === 0x5f
  );
}
