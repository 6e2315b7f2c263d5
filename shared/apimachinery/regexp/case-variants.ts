/** All characters that have a case (some 3,000), collected on first use. */
let cased: string | undefined;

/** Cached variants. Only characters that have a case are in it, so that it cannot outgrow their number. */
const known = new Map<number, readonly number[]>();

/** A character and those that differ from it only in case, in code point order (Unicode, simple case folding). */
export function caseVariants(rune: number): readonly number[] {
  const character = String.fromCodePoint(rune);
  if (!hasCase(character)) return [rune];
  let variants = known.get(rune);
  if (variants === undefined) known.set(rune, (variants = findVariants(rune)));
  return variants;
}

function findVariants(rune: number): readonly number[] {
  const character = String.fromCodePoint(rune);
  // Of the ASCII letters, only k and s have variants beyond ASCII.
  if (rune < 0x80 && !/[ks]/i.test(character))
    return inOrder([rune, code(character.toLowerCase()), code(character.toUpperCase())]);
  const same = new RegExp(`\\u{${rune.toString(16)}}`, 'giu');
  return inOrder([rune, ...[...casedCharacters().matchAll(same)].map(([variant]) => code(variant))]);
}

function casedCharacters(): string {
  if (cased !== undefined) return cased;
  cased = '';
  for (const [from, to] of casedRanges) {
    for (let rune = from; rune <= to; rune++) {
      const character = String.fromCodePoint(rune);
      if (hasCase(character)) cased += character;
    }
  }
  return cased;
}

/** Ranges that contain every character with a case (program.test.ts checks all characters). */
const casedRanges: readonly (readonly [from: number, to: number])[] = [
  [0x41, 0x587],
  [0x10a0, 0x1fff],
  [0x2100, 0x2dff],
  [0xa640, 0xabff],
  [0xfb00, 0xff5a],
  [0x10400, 0x10fff],
  [0x11800, 0x118ff],
  [0x16e00, 0x16eff],
  [0x1e900, 0x1e9ff],
];

function hasCase(character: string): boolean {
  return character.toLowerCase() !== character || character.toUpperCase() !== character;
}

function code(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function inOrder(runes: readonly number[]): number[] {
  return [...new Set(runes)].sort((a, b) => a - b);
}
