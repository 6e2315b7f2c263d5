import { RE2JS } from 're2js';
import { caseVariants } from './case-variants.ts';

/** What an instruction of a compiled pattern does; the numbers are re2js's. */
export const Op = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, fail: 5, match: 6, nop: 7 } as const;

/** Assertions about a position between two characters, as bits of an instruction that consumes no character. */
export const Assertion = {
  beginLine: 1,
  endLine: 2,
  beginText: 4,
  endText: 8,
  wordBoundary: 16,
  noWordBoundary: 32,
} as const;

/**
 * A pattern of Go's dialect, compiled to instructions. The index of an instruction is its place in each array. Arrays
 * can be sent between threads, and take a quarter of the memory of objects.
 */
export interface PatternProgram {
  readonly start: number;
  readonly ops: Uint8Array;
  readonly outs: Int32Array;
  readonly args: Int32Array;
  /**
   * Where the character ranges of an instruction begin in {@link runes}; `pairs` is their number, each a first and a
   * last character.
   */
  readonly runesAt: Int32Array;
  readonly pairs: Int32Array;
  readonly runes: Int32Array;
}

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: Int32Array;
  matchRune(rune: number): boolean;
}

/** Flag of an instruction that consumes a single character, whatever its case. */
const foldsCase = 1;

/**
 * Parses and compiles a pattern with re2js, which knows Go's dialect; takes 2 to 5 µs a character without yielding. The
 * instructions are a private field of the pinned version (.github/decisions/patterns-of-go.md).
 * @throws Error with Go's error text
 */
export function compileProgram(pattern: string): PatternProgram {
  const { inst, start } = RE2JS.compile(pattern).re2Input.prog as {
    readonly inst: readonly Instruction[];
    readonly start: number;
  };
  const pool = new RunePool();
  const program = {
    start,
    ops: new Uint8Array(inst.length),
    outs: new Int32Array(inst.length),
    args: new Int32Array(inst.length),
    runesAt: new Int32Array(inst.length),
    pairs: new Int32Array(inst.length),
  };
  for (const [place, instruction] of inst.entries()) {
    program.ops[place] = instruction.op;
    program.outs[place] = instruction.out;
    program.args[place] = instruction.arg;
    const runes = pairsOf(instruction);
    program.runesAt[place] = pool.add(runes);
    program.pairs[place] = runes.length >> 1;
  }
  return { ...program, runes: pool.all() };
}

/** The compiled program of a pattern, or the message of its syntax error. */
export function outcomeOf(pattern: string): PatternProgram | string {
  try {
    return compileProgram(pattern);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Memory that a program takes. */
export function programBytes({ ops, runes }: PatternProgram): number {
  return ops.length * 17 + runes.length * 4;
}

/** Whether the instruction at a place consumes a character. */
export function takesRune({ runesAt, pairs, runes }: PatternProgram, place: number, rune: number): boolean {
  const at = runesAt[place] as number;
  let [low, high] = [0, pairs[place] as number];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rune < (runes[at + middle * 2] as number)) high = middle;
    else if (rune > (runes[at + middle * 2 + 1] as number)) low = middle + 1;
    else return true;
  }
  return false;
}

function pairsOf(instruction: Instruction): readonly number[] | Int32Array {
  const { runes, arg } = instruction;
  if (runes.length !== 1) return runes;
  const rune = runes[0] as number;
  if ((arg & foldsCase) === 0) return [rune, rune];
  return caseVariants(rune)
    .filter((variant) => instruction.matchRune(variant))
    .flatMap((variant) => [variant, variant]);
}

/** The characters of all instructions; sets that several share are kept once. */
class RunePool {
  #runes = new Int32Array(256);
  #length = 0;
  readonly #known = new Map<number, { readonly at: number; readonly runes: ArrayLike<number> }[]>();

  add(runes: ArrayLike<number>): number {
    const hash = hashOf(runes);
    const known = this.#known.get(hash) ?? [];
    const same = known.find((other) => isSame(other.runes, runes));
    if (same !== undefined) return same.at;
    const at = this.#length;
    if (at + runes.length > this.#runes.length) this.#grow(at + runes.length);
    this.#runes.set(runes, at);
    this.#length += runes.length;
    if (known.length < maxOfHash) this.#known.set(hash, [...known, { at, runes }]);
    return at;
  }

  all(): Int32Array {
    return this.#runes.slice(0, this.#length);
  }

  #grow(needed: number): void {
    const larger = new Int32Array(Math.max(needed, this.#runes.length * 2));
    larger.set(this.#runes);
    this.#runes = larger;
  }
}

/** Most sets under one hash. If a client makes hashes collide, sets are stored twice, but no more time is spent. */
const maxOfHash = 4;

function hashOf(runes: ArrayLike<number>): number {
  let hash = runes.length;
  for (let at = 0; at < runes.length; at++) hash = (Math.imul(hash, 31) + (runes[at] as number)) | 0;
  return hash;
}

function isSame(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
