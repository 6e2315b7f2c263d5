import { hash } from 'node:crypto';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';

/**
 * The key of a token and the audiences asked for, in a cache; another one for each. Hashed, so that tokens are not kept
 * in memory. Undefined for text that has no hash of its own: halves of surrogate pairs would all be hashed as the same
 * character.
 *
 * Requests ask for no audiences. Their tokens are hashed as they are, which takes 0.5 µs less of 2 µs, and written
 * in another way, so that no token is taken for another one that is joined with audiences.
 */
export function tokenKey(token: string, audiences: readonly string[]): string | undefined {
  if (audiences.length === 0) return token.isWellFormed() ? hash('sha256', token, 'hex') : undefined;
  const text = joinedKey([token, ...audiences]);
  return text.isWellFormed() ? hash('sha256', text, 'base64url') : undefined;
}
