import { createPublicKey } from 'node:crypto';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { KeySource } from '#shared/authentication/service-account/key-source.ts';
import { algorithmOf, type VerificationKey } from '#shared/authentication/service-account/signing-keys.ts';
import type { SignerClient } from './signer-client.ts';
import type { KeysAnswer, SignerKey } from './signer-messages.ts';

/** A key of a signer. */
interface ExternalKey extends VerificationKey {
  readonly isExcluded: boolean;
}

export interface ExternalKeysOptions {
  readonly client: Pick<SignerClient, 'fetchKeys'>;
  /** Told of each attempt to fetch keys, and of the time of the signer's data in seconds since 1970. */
  readonly onFetch?: (outcome: { readonly error?: unknown; readonly dataSeconds?: number }) => void;
  readonly reportError: (message: string, error: unknown) => void;
}

const fetchWithinMs = 60_000;
const retryMs = 10_000;
/** The longest time of a timer. */
const longestMs = 2 ** 31 - 1;
const maxKeyIdLength = 1024;
const [firstSecond, lastSecond] = [-62_135_596_800, 253_402_300_799];

/**
 * The public keys of an external signer, fetched again as often as it asks for, and for a token whose key is not known
 * (pkg/serviceaccount/externaljwt/plugin). The keys that are known stay while the signer is away.
 */
export class ExternalKeys implements KeySource {
  readonly #options: ExternalKeysOptions;
  #keys: readonly ExternalKey[] = [];
  #published: readonly ExternalKey[] = [];
  #nextMs = 0;
  #fetching: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: ExternalKeysOptions) {
    this.#options = options;
  }

  get published(): readonly VerificationKey[] {
    return this.#published;
  }

  get maxAgeSeconds(): number {
    return Math.max(0, Math.floor((this.#nextMs - performance.now()) / 1000));
  }

  /** Fetches the keys for the first time, and from then on by itself. Rejects if that fails. */
  async open(): Promise<void> {
    try {
      await this.#fetch();
    } catch (error) {
      throw new Error(`while initially filling key cache: while performing initial cache fill: ${messageOf(error)}`, {
        cause: error,
      });
    }
    this.#fetchLater(this.#nextMs - performance.now());
  }

  find(keyId: string): readonly VerificationKey[] | Promise<readonly VerificationKey[]> {
    const known = this.#known(keyId);
    return known.length > 0 ? known : this.#refetched(keyId);
  }

  /** Whether new tokens must not be signed by the key. */
  async isExcluded(keyId: string): Promise<boolean> {
    const known = this.#known(keyId);
    const keys = known.length > 0 ? known : await this.#refetched(keyId);
    return keys.some(({ isExcluded }) => isExcluded);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #known(keyId: string): readonly ExternalKey[] {
    return keyId === '' ? this.#keys : this.#keys.filter((key) => key.keyId === keyId);
  }

  async #refetched(keyId: string): Promise<readonly ExternalKey[]> {
    try {
      await this.#fetch();
    } catch (error) {
      this.#options.reportError('Error while syncing keys', error);
      return [];
    }
    const known = this.#known(keyId);
    if (known.length === 0) this.#options.reportError('Key id not found after refresh', goQuote(keyId));
    return known;
  }

  /** Callers that come while keys are being fetched share that. */
  #fetch(): Promise<void> {
    return (this.#fetching ??= this.#fetchNow().finally(() => (this.#fetching = undefined)));
  }

  async #fetchNow(): Promise<void> {
    try {
      const answer = await this.#options.client.fetchKeys(fetchWithinMs).catch((error: unknown) => {
        throw prefixed('while getting externally supported jwt signing keys', error);
      });
      const keys = keysOf(answer);
      this.#nextMs = performance.now() + answer.refreshHintSeconds * 1000;
      this.#keys = keys;
      this.#published = keys.filter(({ isExcluded }) => !isExcluded);
      const { seconds = 0, nanos = 0 } = answer.dataTimestamp ?? {};
      this.#options.onFetch?.({ dataSeconds: seconds + nanos / 1e9 });
    } catch (error) {
      this.#options.onFetch?.({ error });
      throw prefixed('while fetching token verification keys', error);
    }
  }

  #fetchLater(ms: number): void {
    if (this.#closed) return;
    this.#timer = setTimeout(
      () => {
        this.#fetch().then(
          () => this.#fetchLater(this.#nextMs - performance.now()),
          (error: unknown) => {
            this.#options.reportError('when syncing supported public keys(Stale set of keys will be supported)', error);
            this.#fetchLater(retryMs);
          },
        );
      },
      Math.max(0, Math.min(ms, longestMs)),
    ).unref();
  }
}

/** @throws Error for an answer that breaks the protocol; then none of its keys is used */
function keysOf({ keys, dataTimestamp, refreshHintSeconds }: KeysAnswer): ExternalKey[] {
  if (refreshHintSeconds <= 0) throw new Error(`found invalid refresh hint (${refreshHintSeconds}s)`);
  if (keys.length === 0) throw new Error('found no keys');
  const { seconds = 0, nanos = 0 } = dataTimestamp ?? {};
  if (dataTimestamp === undefined) throw new Error('invalid data timestamp: proto: invalid nil Timestamp');
  if (seconds < firstSecond || seconds > lastSecond || nanos < 0 || nanos >= 1e9)
    throw new Error(`invalid data timestamp: ${seconds}s and ${nanos}ns are out of range`);
  return keys.flatMap((key) => keyOf(key) ?? []);
}

/** Undefined for a key of a kind that signs no tokens. */
function keyOf({ keyId, key, excludeFromOidcDiscovery: isExcluded }: SignerKey): ExternalKey | undefined {
  if (keyId === '' || Buffer.byteLength(keyId) > maxKeyIdLength)
    throw new Error(`found invalid public key id ${goQuote(keyId)}`);
  if (key.length === 0) throw new Error('found empty public key');
  let publicKey;
  try {
    publicKey = createPublicKey({ key, format: 'der', type: 'spki' });
  } catch (error) {
    throw prefixed('while parsing external public keys', error);
  }
  const algorithm = algorithmOf(publicKey);
  return algorithm === undefined ? undefined : { keyId, algorithm, publicKey, isExcluded };
}

function prefixed(prefix: string, error: unknown): Error {
  return new Error(`${prefix}: ${messageOf(error)}`, { cause: error });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
