import { randomInt } from 'node:crypto';

/** No vowels and no look-alikes, so that no words arise. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;
const MAX_BASE_LENGTH = 63 - SUFFIX_LENGTH;

/**
 * A name from `metadata.generateName`: the base, cut to 58 characters, and five random characters
 * (apiserver/pkg/storage/names).
 */
export function generateName(base: string): string {
  return base.slice(0, MAX_BASE_LENGTH) + randomSuffix(SUFFIX_LENGTH);
}

/** Random characters that fit into names. */
export function randomSuffix(length: number): string {
  return Array.from({ length }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');
}
