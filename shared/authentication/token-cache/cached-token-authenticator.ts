import { LRUCache } from 'lru-cache';
import type {
  AuthenticationAnswer,
  AuthenticationResult,
  TokenAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';
import { tokenKey } from './token-key.ts';

export interface TokenCacheOptions {
  /** How long accepted tokens are kept; 0: not at all. */
  readonly acceptedMs: number;
  /** How long unknown tokens are kept. Errors are not. Default: not at all. */
  readonly unknownMs?: number;
  readonly metrics?: TokenCacheMetrics | undefined;
  /** Milliseconds of a clock that is never set back. */
  readonly now?: () => number;
}

/** Bytes of accepted users, and the number of unknown tokens: who tries tokens drops nobody who is known. */
const maxBytes = 16 * 1024 * 1024;
const maxUnknown = 4096;

interface Accepted {
  readonly result: AuthenticationResult;
  readonly untilMs: number;
}

/** Answers from its cache where it can. */
export interface CachedTokenAuthenticator extends TokenAuthenticator {
  /** The answer for a token that was accepted a while ago; undefined for others. Asks nobody. */
  known(token: string, audiences: readonly string[]): AuthenticationResult | undefined;
}

/**
 * Keeps answers for a while, by the token and the audiences asked for. Concurrent calls for the same token share the
 * work.
 */
export function cachedTokenAuthenticator(
  inner: TokenAuthenticator,
  { acceptedMs, unknownMs = 0, metrics, now = () => performance.now() }: TokenCacheOptions,
): CachedTokenAuthenticator {
  const accepted = new LRUCache<string, Accepted>({ maxSize: maxBytes, sizeCalculation: bytesOf });
  /** Until when they are kept. */
  const unknown = new LRUCache<string, number>({ max: maxUnknown });
  const asking = new Map<string, Promise<AuthenticationAnswer>>();
  const keep = (key: string, result: AuthenticationAnswer): AuthenticationAnswer => {
    if (result === undefined) {
      if (unknownMs > 0) unknown.set(key, now() + unknownMs);
    } else if (acceptedMs > 0) accepted.set(key, { result, untilMs: now() + acceptedMs });
    return result;
  };
  const find = (key: string): AuthenticationResult | undefined => {
    const known = accepted.get(key);
    return known !== undefined && known.untilMs > now() ? known.result : undefined;
  };
  const ask = (
    key: string,
    token: string,
    audiences: readonly string[],
  ): AuthenticationAnswer | Promise<AuthenticationAnswer> => {
    const answer = inner.authenticateToken(token, audiences);
    if (!(answer instanceof Promise)) return keep(key, answer);
    const shared = (metrics?.fetched(answer) ?? answer)
      .then((result) => keep(key, result))
      .finally(() => asking.delete(key));
    asking.set(key, shared);
    return shared;
  };
  return {
    known(token, audiences) {
      const key = tokenKey(token, audiences);
      return key === undefined ? undefined : find(key);
    },
    authenticateToken(token, audiences) {
      const key = tokenKey(token, audiences);
      if (key === undefined) return inner.authenticateToken(token, audiences);
      const known = find(key);
      if (known !== undefined || (unknown.get(key) ?? 0) > now()) {
        metrics?.hit();
        return known;
      }
      const answer = asking.get(key) ?? ask(key, token, audiences);
      return metrics !== undefined && answer instanceof Promise ? metrics.missed(answer) : answer;
    },
  };
}

const fixedBytes = 300;

function bytesOf({ result: { user, audiences = [] } }: Accepted): number {
  const texts = [user.name, user.uid, ...user.groups, ...audiences, ...Object.entries(user.extra).flat(2)];
  return texts.reduce((sum, text) => sum + text.length + 16, fixedBytes);
}
