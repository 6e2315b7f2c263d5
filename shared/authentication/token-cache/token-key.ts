import { hash } from 'node:crypto';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';

/**
 * The key of a token and the audiences asked for, in a cache; another one for each. Hashed, so that tokens are not kept
 * in memory. Undefined for text that has no hash of its own: halves of surrogate pairs would all be hashed as the same
 * character.
 */
export function tokenKey(token: string, audiences: readonly string[]): string | undefined {
  const text = joinedKey([token, ...audiences]);
  return text.isWellFormed() ? hash('sha256', text, 'base64url') : undefined;
}
