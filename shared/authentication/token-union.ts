import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import {
  AuthenticationError,
  type AuthenticationAnswer,
  type AuthenticationResult,
  type TokenAuthenticator,
} from './contract/authenticator.ts';

/** Calls the token authenticators in turn; errors count only if none knows the token. */
export function unionTokenAuthenticator(authenticators: readonly TokenAuthenticator[]): TokenAuthenticator {
  const askFrom = (
    token: string,
    audiences: readonly string[],
    start: number,
    first?: AuthenticationError,
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> => {
    for (let at = start; at < authenticators.length; at++) {
      try {
        const answer = authenticators[at]?.authenticateToken(token, audiences);
        if (answer instanceof Promise) {
          return answer.then(
            (found) => found ?? askFrom(token, audiences, at + 1, first),
            (error: unknown) => askFrom(token, audiences, at + 1, first ?? expected(error)),
          );
        }
        if (answer !== undefined) return answer;
      } catch (error) {
        first ??= expected(error);
      }
    }
    if (first) throw first;
    return undefined;
  };
  return { authenticateToken: (token, audiences) => askFrom(token, audiences, 0) };
}

/**
 * Caches successful answers for `ttlMs`, keyed by the hash of the token and the audiences. The key holds the length of
 * each, since both may hold any character in a TokenReview. Concurrent calls for the same token share the work.
 */
export function cachedTokenAuthenticator(inner: TokenAuthenticator, ttlMs: number): TokenAuthenticator {
  const known = new LRUCache<string, AuthenticationResult>({ max: 4096, ttl: ttlMs });
  const asking = new Map<string, Promise<AuthenticationAnswer>>();
  return {
    authenticateToken(token, audiences) {
      const text = joinedKey([token, ...audiences]);
      // Halves of surrogate pairs would all be hashed as the same character.
      if (!text.isWellFormed()) return inner.authenticateToken(token, audiences);
      const key = hash('sha256', text, 'base64url');
      const present = known.get(key) ?? asking.get(key);
      if (present) return present;
      const answer = inner.authenticateToken(token, audiences);
      if (!(answer instanceof Promise)) {
        if (answer) known.set(key, answer);
        return answer;
      }
      const shared = answer
        .then((found) => {
          if (found) known.set(key, found);
          return found;
        })
        .finally(() => asking.delete(key));
      asking.set(key, shared);
      return shared;
    },
  };
}

function expected(error: unknown): AuthenticationError {
  if (error instanceof AuthenticationError) return error;
  throw error;
}
