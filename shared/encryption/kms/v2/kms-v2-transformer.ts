import type { Revealed, ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';
import { hashOf, type EnvelopeMetrics } from '#shared/encryption/kms/plugin/envelope-metrics.ts';
import { activeSpan, runSpan, spanEvent } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import { DataKeyCache, type KnownDataKey } from './data-key-cache.ts';
import { dataKeyOf } from './data-key.ts';
import { decodeEncryptedObject } from './encrypted-object.ts';
import type { KmsClient } from './kms-client.ts';
import type { EncryptedObject } from './kms-messages.ts';
import type { PluginProbe } from './plugin-probe.ts';
import type { WriteKey } from './write-key.ts';

export interface KmsV2TransformerOptions {
  readonly name: string;
  readonly client: Pick<KmsClient, 'decrypt'>;
  readonly probe: Pick<PluginProbe, 'latestKey' | 'writeKey'>;
  readonly metrics: EnvelopeMetrics;
}

const encryptionEvents = [
  'Data encryption succeeded',
  'About to encode encrypted object',
  'Encoded encrypted object',
] as const;

/**
 * Envelope encryption: each value by a data key, which stands beside it as a KMS plugin encrypted it. The plugin is
 * asked once for each data key, and not at all for those that this server made.
 */
export class KmsV2Transformer implements ValueTransformer {
  readonly #options: KmsV2TransformerOptions;
  readonly #cache = new DataKeyCache();

  constructor(options: KmsV2TransformerOptions) {
    this.#options = options;
  }

  /** Values encrypted by the key are read without the plugin. */
  remember({ source, seed, keyIdHash }: WriteKey): void {
    this.#keep(source, { dataKey: seed, keyIdHash });
  }

  fromStorage(stored: Uint8Array, key: string): Revealed | Promise<Revealed> {
    const span = this.#span('TransformFromStorage');
    return span === undefined ? this.#reveal(stored, key) : runSpan(span, () => this.#reveal(stored, key));
  }

  #reveal(stored: Uint8Array, key: string): Revealed | Promise<Revealed> {
    spanEvent('About to decode encrypted object');
    const object = decodeEncryptedObject(stored);
    spanEvent('Decoded encrypted object');
    const { source } = this.#options.probe.latestKey;
    const isStale = object.keyId !== source.keyId || object.encryptedDekSourceType !== source.encryptedDekSourceType;
    const known = this.#cache.get(object);
    if (known === undefined) return this.#askAndReveal(object, key, isStale);
    return { value: this.#open(known, object, key), isStale };
  }

  toStorage(plain: Uint8Array, key: string): Uint8Array {
    const { probe, metrics, name } = this.#options;
    const { writeKey } = probe;
    metrics.keyUsed('to_storage', name, writeKey.keyIdHash);
    const span = this.#span('TransformToStorage');
    span?.event('About to encrypt data using DEK');
    const stored = writeKey.encrypt(plain, key);
    // Encrypted and encoded by one call.
    for (const event of encryptionEvents) span?.event(event);
    span?.end();
    return stored;
  }

  /** As the reference's envelope encryption has it; undefined where no request is traced. */
  #span(direction: 'TransformFromStorage' | 'TransformToStorage'): RequestSpan | undefined {
    const active = activeSpan();
    if (active === undefined) return undefined;
    return active.child(`${direction} with envelopeTransformer`, { 'transformer.provider.name': this.#options.name });
  }

  async #askAndReveal(object: EncryptedObject, key: string, isStale: boolean): Promise<Revealed> {
    const known = await this.#cache.ask(object, () => this.#decrypt(object));
    const value = this.#open(known, object, key);
    // Not before: a plugin that answered with a wrong key is asked again.
    this.#keep(object, known);
    return { value, isStale };
  }

  async #decrypt(object: EncryptedObject): Promise<KnownDataKey> {
    const { client, metrics } = this.#options;
    metrics.cacheMissed();
    spanEvent('About to decrypt DEK using remote service');
    const { encryptedDekSource: ciphertext, keyId, annotations } = object;
    const secret = await client.decrypt({ ciphertext, keyId, annotations }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`failed to decrypt DEK, error: ${reason}`, { cause: error });
    });
    spanEvent('DEK decryption succeeded');
    return { dataKey: dataKeyOf(object.encryptedDekSourceType, secret), keyIdHash: hashOf(keyId) };
  }

  #open({ dataKey, keyIdHash }: KnownDataKey, object: EncryptedObject, key: string): Buffer {
    this.#options.metrics.keyUsed('from_storage', this.#options.name, keyIdHash);
    spanEvent('About to decrypt data using DEK');
    const plain = dataKey.open(object.encryptedData, key);
    spanEvent('Data decryption succeeded');
    return plain;
  }

  #keep(source: Omit<EncryptedObject, 'encryptedData'>, known: KnownDataKey): void {
    this.#cache.set(source, known);
    this.#options.metrics.cacheSized(this.#options.name, this.#cache.size);
  }
}
