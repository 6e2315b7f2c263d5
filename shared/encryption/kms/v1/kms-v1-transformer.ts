import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { openAesCbc } from '#shared/encryption/ciphers/aes-cbc.ts';
import { aesKey, openAesGcm, sealAesGcm, type AesKey } from '#shared/encryption/ciphers/aes-gcm.ts';
import type { Revealed, ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';
import type { EnvelopeMetrics } from '#shared/encryption/kms/plugin/envelope-metrics.ts';
import type { KmsV1Client } from './kms-v1-client.ts';

export interface KmsV1TransformerOptions {
  readonly client: Pick<KmsV1Client, 'encrypt' | 'decrypt'>;
  /** How many data keys are kept; negative: none. */
  readonly cacheSize: number;
  readonly metrics: EnvelopeMetrics;
}

const [dataKeyBytes, lengthBytes, maxLength] = [32, 2, 0xff_ff];

/**
 * Envelope encryption with a data key for each write, which the plugin encrypts (apiserver's envelope/envelope.go). A
 * value has the length of the encrypted data key in two bytes, that key, and what AES-GCM sealed; servers up to 1.24
 * sealed by AES-CBC, and what they wrote is stale.
 */
export class KmsV1Transformer implements ValueTransformer {
  readonly #options: KmsV1TransformerOptions;
  readonly #known: LRUCache<string, AesKey> | undefined;
  readonly #asked = new Map<string, Promise<AesKey>>();

  constructor(options: KmsV1TransformerOptions) {
    this.#options = options;
    if (options.cacheSize > 0) this.#known = new LRUCache({ max: options.cacheSize });
  }

  fromStorage(stored: Uint8Array, key: string): Revealed | Promise<Revealed> {
    this.#options.metrics.valueArrived('from_storage');
    const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
    const length = bytes.length < lengthBytes ? maxLength : bytes.readUInt16BE(0);
    const end = lengthBytes + length;
    if (bytes.length < end)
      throw new Error('invalid data encountered by envelope transformer: failed to read uint16 length prefixed data');
    const sealedKey = bytes.subarray(lengthBytes, end);
    const sealed = bytes.subarray(end);
    const dataKey = this.#known?.get(sealedKey.toString('latin1'));
    if (dataKey !== undefined) return open(dataKey, sealed, key);
    return this.#ask(sealedKey).then((asked) => open(asked, sealed, key));
  }

  async toStorage(plain: Uint8Array, key: string): Promise<Uint8Array> {
    const { client, metrics } = this.#options;
    metrics.valueArrived('to_storage');
    const startMs = performance.now();
    const dataKey = randomBytes(dataKeyBytes);
    metrics.dataKeyMade((performance.now() - startMs) / 1000);
    const sealedKey = await client.encrypt(dataKey);
    if (sealedKey.length > maxLength) throw new Error('pending child length exceeds the 2-byte length prefix');
    this.#keep(sealedKey.toString('latin1'), dataKey);
    const length = Buffer.alloc(lengthBytes);
    length.writeUInt16BE(sealedKey.length);
    return Buffer.concat([length, sealedKey, sealAesGcm(dataKey, plain, key)]);
  }

  /** Readers of values with the same unknown data key share a call. */
  #ask(sealedKey: Buffer): Promise<AesKey> {
    const name = sealedKey.toString('latin1');
    let asked = this.#asked.get(name);
    if (asked === undefined) {
      asked = this.#decrypt(name, sealedKey).finally(() => this.#asked.delete(name));
      this.#asked.set(name, asked);
    }
    return asked;
  }

  async #decrypt(name: string, sealedKey: Buffer): Promise<AesKey> {
    if (this.#known !== undefined) this.#options.metrics.cacheMissed();
    const dataKey = aesKey(await this.#options.client.decrypt(Buffer.from(sealedKey)));
    this.#keep(name, dataKey);
    return dataKey;
  }

  #keep(name: string, dataKey: AesKey): void {
    if (this.#known === undefined) return;
    this.#known.set(name, dataKey);
    this.#options.metrics.cacheFilled(this.#known.size / this.#options.cacheSize);
  }
}

function open(dataKey: AesKey, sealed: Buffer, key: string): Revealed {
  const faults: string[] = [];
  try {
    return { value: openAesGcm(dataKey, sealed, key), isStale: false };
  } catch (error) {
    faults.push((error as Error).message);
  }
  try {
    return { value: openAesCbc(dataKey, sealed), isStale: true };
  } catch (error) {
    faults.push((error as Error).message);
  }
  throw new Error(aggregateMessages(faults));
}
