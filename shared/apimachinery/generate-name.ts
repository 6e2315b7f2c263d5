import { drawBelow } from './chance/draw.ts';

/** No vowels and no look-alikes, so that no words arise. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

/**
 * A name from `metadata.generateName`: the base, cut to 58 characters, and five random characters
 * (apiserver/pkg/storage/names).
 */
export function generateName(base: string): string {
  return base.slice(0, MAX_BASE_LENGTH) + randomSuffix(SUFFIX_LENGTH, base);
}

/**
 * Random characters that fit into names.
 * @param subject what they are drawn for
 */
function randomSuffix(length: number, subject: string): string {
  return Array.from({ length }, () => ALPHABET.charAt(drawBelow(ALPHABET.length, subject))).join('');
}
