import type { Facts } from '#shared/api/facts.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { loadEncryption, type LoadEncryptionOptions } from './configuration/load-encryption.ts';
import { readEncryptionFile } from './configuration/read-encryption-file.ts';
import type { ValueTransformer } from './contract/value-transformer.ts';
import { openKmsProvider } from './kms/open-kms-provider.ts';
import { EnvelopeMetrics } from './kms/plugin/envelope-metrics.ts';
import type { OpenKms } from './providers/opened-providers.ts';
import { TransformationMetrics } from './providers/transformation-metrics.ts';
import { ResourceTransformers } from './resource-transformers.ts';
import { EncryptedStorage } from './storage/encrypted-storage.ts';
import { ResourceOfKey } from './storage/resource-of-key.ts';
import { ValueCipher } from './storage/value-cipher.ts';

export interface OpenEncryptionOptions extends LoadEncryptionOptions {
  /** The identity of this server in metrics. */
  readonly serverId: string;
  readonly logger: Logger;
}

/** Encryption at rest, by the file of `--encryption-provider-config`. */
export interface Encryption {
  /** The transformer of a resource at present. */
  transformerOf(resource: GroupResource): ValueTransformer;
  metrics(): readonly Family[];
  close(): void;
}

/**
 * Reads the file and opens its providers.
 * @throws ConfigurationError in the reference's words
 */
export async function openEncryption(options: OpenEncryptionOptions): Promise<Encryption> {
  const bytes = await readEncryptionFile(options.path);
  const metrics = new TransformationMetrics();
  const envelopes = new EnvelopeMetrics(options.serverId);
  const surroundings = {
    metrics: envelopes,
    allowsV1: options.allowsKmsV1,
    reportError: (message: string, error: unknown) => options.logger.error(message, error),
  };
  const openKms: OpenKms = (entry) => openKmsProvider(entry, surroundings);
  const configuration = loadEncryption(bytes, options);
  const transformers = new ResourceTransformers(configuration, metrics, openKms);
  await Promise.all(transformers.kms.map(async ({ provider }) => provider.ready?.()));
  return {
    transformerOf: (resource) => transformers.of(resource),
    metrics: () => [...metrics.families, ...envelopes.families],
    close: () => transformers.close(),
  };
}

/** Storage whose values are encrypted in one etcd. `prefix` is that of all keys. */
export function encryptedStorage(
  storage: Storage,
  { prefix, facts, encryption }: { readonly prefix: string; readonly facts: Facts; readonly encryption: Encryption },
): Storage {
  const resources = new ResourceOfKey(facts);
  const cipher = new ValueCipher({
    prefix,
    resourceOf: (key) => resources.find(key),
    transformerOf: (resource) => encryption.transformerOf(resource),
  });
  return new EncryptedStorage(storage, cipher);
}
