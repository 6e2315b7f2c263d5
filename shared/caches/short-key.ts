import { createHash } from 'node:crypto';

const longest = 128;

/**
 * A key of bounded length for a cache whose entries are few but whose keys clients make up: short texts stand for
 * themselves, longer ones for their SHA-256. Different texts have different keys.
 */
export function shortKey(text: string): string {
  return text.length <= longest ? `=${text}` : `#${createHash('sha256').update(text).digest('base64')}`;
}
