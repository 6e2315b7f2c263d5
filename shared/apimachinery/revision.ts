import { goQuote } from './go-format.ts';

/**
 * The revision that a text names, 0 for none (beyond 2^53 a near one, as no storage has it); or what Go says of a text
 * that is no unsigned number of 64 bits.
 */
export function parseRevision(text: string): number | string {
  if (text === '') return 0;
  if (!/^\d+$/.test(text)) return `strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`;
  return BigInt(text) < 2n ** 64n ? Number(text) : `strconv.ParseUint: parsing ${goQuote(text)}: value out of range`;
}
