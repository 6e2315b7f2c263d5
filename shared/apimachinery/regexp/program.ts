import { RE2JS } from 're2js';

/** What an instruction of a compiled pattern does; the numbers are re2js's. */
export const Op = { alt: 1, altMatch: 2, capture: 3, emptyWidth: 4, fail: 5, match: 6, nop: 7 } as const;

/** What may stand at a place between two characters, as bits of an instruction that takes no character. */
export const Look = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, wordBoundary: 16, noWordBoundary: 32 } as const;

export interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  matchRune(rune: number): boolean;
}

/** A pattern of Go's dialect as a machine of instructions. */
export interface Program {
  readonly inst: readonly Instruction[];
  readonly start: number;
}

/**
 * Parsed and compiled by re2js, which knows the dialect.
 * @throws Error with Go's text of what is wrong
 */
export function compileProgram(pattern: string): Program {
  return RE2JS.compile(pattern).re2Input.prog as Program;
}
