import { randomBytes } from 'node:crypto';
import { hashOf, type EnvelopeMetrics } from '#shared/encryption/kms/plugin/envelope-metrics.ts';
import { SeedKey, seedBytes } from './data-key.ts';
import { encodeEncryptedObject, validateDataKeyParts } from './encrypted-object.ts';
import type { KmsClient } from './kms-client.ts';
import type { EncryptedObject } from './kms-messages.ts';

/** The key of a seed that a server made and a plugin encrypted: all values are encrypted by it until it is replaced. */
export class WriteKey {
  readonly source: Omit<EncryptedObject, 'encryptedData'>;
  readonly keyIdHash: string;
  readonly seed: SeedKey;

  constructor(source: Omit<EncryptedObject, 'encryptedData'>, seed: SeedKey) {
    this.source = source;
    this.keyIdHash = hashOf(source.keyId);
    this.seed = seed;
  }

  encrypt(plain: Uint8Array, key: string): Buffer {
    const encryptedData = this.seed.seal(plain, key, randomBytes(seedBytes));
    return encodeEncryptedObject({ ...this.source, encryptedData });
  }
}

/**
 * Makes a seed and has the plugin encrypt it.
 * @param uid names the call in logs
 * @returns rejects if the plugin fails, or answers what must not be stored
 */
export async function makeWriteKey(
  client: Pick<KmsClient, 'encrypt'>,
  uid: string,
  metrics: EnvelopeMetrics,
): Promise<WriteKey> {
  const startMs = performance.now();
  const seed = randomBytes(seedBytes);
  metrics.dataKeyMade((performance.now() - startMs) / 1000);
  const answer = await client.encrypt(seed, uid).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to encrypt DEK, error: ${reason}`, { cause: error });
  });
  const source = {
    keyId: answer.keyId,
    encryptedDekSource: answer.ciphertext,
    annotations: answer.annotations,
    encryptedDekSourceType: 'HKDF_SHA256_XNONCE_AES_GCM_SEED',
  } as const;
  validateDataKeyParts(source);
  return new WriteKey(source, new SeedKey(seed));
}
