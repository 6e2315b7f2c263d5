import { goQuote } from './text/go-format.ts';

/**
 * The revision that a text names, 0 for an empty text; Go's error text for a text that is not an unsigned 64-bit
 * number. Numbers beyond 2^53 are rounded, as no storage has such a revision.
 */
export function parseRevision(text: string): number | string {
  if (text === '') return 0;
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
  return BigInt(text) < 2n ** 64n ? Number(text) : `strconv.ParseUint: parsing ${goQuote(text)}: value out of range`;
}
