import { setTimeout as sleep } from 'node:timers/promises';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { SignatureError, verifySignedToken, type SignedToken } from '#shared/authentication/jwt/signed-token.ts';
import { freshMs } from './freshness.ts';
import { KeySetError, readKeySet, type ProviderKey } from './key-set.ts';
import type { Provider, ProviderAnswer } from './provider-client.ts';

/** Keys whose time ends this soon may be fetched again. */
const expiryDeltaMs = 30_000;
/** Tokens that no key verifies do not make the provider send its keys more often than this. */
const minPauseMs = 1000;

/** Measures time, and lets it pass. */
export interface KeySetClock {
  /** Milliseconds of a clock that is never set back. */
  now(): number;
  pause(ms: number): Promise<unknown>;
}

export interface RemoteKeySetOptions {
  readonly url: string;
  readonly client: Provider;
  /** Told of each fetch: the text of the key set, or undefined if there is none. */
  readonly onFetch?: ((keySet: string | undefined) => void) | undefined;
  /** Default: the system's. */
  readonly clock?: KeySetClock;
}

/**
 * The keys of a provider. They are fetched when a token is not verified by those that are known, unless the provider
 * said that these stay good. Concurrent callers share a fetch; one within a second of the last waits for its time, so
 * that strangers cannot load the provider, and a rotated key is used a second later at most.
 */
export class RemoteKeySet {
  readonly #options: RemoteKeySetOptions;
  readonly #clock: KeySetClock;
  #keys: readonly ProviderKey[] = [];
  #expiresMs = Number.NEGATIVE_INFINITY;
  #fetchedMs = Number.NEGATIVE_INFINITY;
  #fetching: Promise<readonly ProviderKey[]> | undefined;

  constructor(options: RemoteKeySetOptions) {
    this.#options = options;
    this.#clock = options.clock ?? { now: () => performance.now(), pause: (ms) => sleep(ms) };
  }

  /** Resolves if one of the keys made the signature. @throws AuthenticationError */
  async verify(token: SignedToken): Promise<void> {
    // Keys that are out of date are good enough: the provider may be away.
    if (await isVerified(token, this.#keys)) return;
    if (this.#clock.now() + expiryDeltaMs < this.#expiresMs) throw new AuthenticationError(unverified);
    if (await isVerified(token, await this.#fetch())) return;
    throw new AuthenticationError(unverified);
  }

  #fetch(): Promise<readonly ProviderKey[]> {
    return (this.#fetching ??= this.#fetchInTime().finally(() => (this.#fetching = undefined)));
  }

  async #fetchInTime(): Promise<readonly ProviderKey[]> {
    const pauseMs = this.#fetchedMs + minPauseMs - this.#clock.now();
    if (pauseMs > 0) await this.#clock.pause(pauseMs);
    try {
      const answer = await this.#options.client.get(this.#options.url);
      this.#keys = await keysOf(answer);
      this.#expiresMs = this.#clock.now() + freshMs(answer.headers, Date.now());
      this.#options.onFetch?.(answer.body);
      return this.#keys;
    } catch (error) {
      this.#options.onFetch?.(undefined);
      throw new AuthenticationError(`fetching keys oidc: get keys failed ${(error as Error).message}`, {
        cause: error,
      });
    } finally {
      this.#fetchedMs = this.#clock.now();
    }
  }
}

const unverified = 'failed to verify id token signature';

async function keysOf({ status, statusText, body }: ProviderAnswer): Promise<readonly ProviderKey[]> {
  if (status !== 200) throw new KeySetError(statusText);
  return await inSlices(readKeySet(body));
}

async function isVerified(token: SignedToken, keys: readonly ProviderKey[]): Promise<boolean> {
  for (const { keyId, key } of keys) {
    if (token.keyId !== '' && token.keyId !== keyId) continue;
    try {
      await verifySignedToken(token, key);
      return true;
    } catch (error) {
      if (!(error instanceof SignatureError)) throw error;
    }
  }
  return false;
}
