import type { Facts } from '#shared/api/facts.ts';
import { ResourceOfKey } from '#shared/api/resource-of-key.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { registerReloadMetrics } from '#shared/configuration/reload-metrics.ts';
import { ReloadedConfiguration } from '#shared/configuration/reloaded-configuration.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { loadEncryption, type LoadEncryptionOptions } from './configuration/load-encryption.ts';
import { readEncryptionFile } from './configuration/read-encryption-file.ts';
import type { ValueTransformer } from './contract/value-transformer.ts';
import { kmsChecks, type KmsCheck } from './kms-health.ts';
import { openKmsProvider } from './kms/open-kms-provider.ts';
import { EnvelopeMetrics } from './kms/plugin/envelope-metrics.ts';
import { TransformationMetrics } from './providers/transformation-metrics.ts';
import { ReloadedTransformers } from './reloaded-transformers.ts';
import { ResourceTransformers } from './resource-transformers.ts';
import { EncryptedStorage } from './storage/encrypted-storage.ts';
import { ValueCipher } from './storage/value-cipher.ts';

export interface OpenEncryptionOptions extends LoadEncryptionOptions {
  /** The identity of this server in metrics. */
  readonly serverId: string;
  readonly logger: Logger;
}

/** Encryption at rest, by the file of `--encryption-provider-config`. */
export interface Encryption {
  /** The transformer of a resource at present. */
  readonly transformerOf: (resource: GroupResource) => ValueTransformer;
  /** As {@link ReloadedTransformers.countLosses}; absent where the file is not followed. */
  readonly countLosses: ((resource: GroupResource) => () => number) | undefined;
  /** The health checks of KMS providers. */
  readonly checks: readonly KmsCheck[];
  readonly metrics: () => readonly Family[];
  readonly close: () => void;
}

/**
 * Reads the file and opens its providers; follows the file if that is asked for.
 * @throws ConfigurationError in the reference's words
 */
export async function openEncryption(options: OpenEncryptionOptions): Promise<Encryption> {
  const { path, isReloaded, serverId, logger } = options;
  const bytes = await readEncryptionFile(path);
  const transformations = new TransformationMetrics();
  const envelopes = new EnvelopeMetrics(serverId);
  const reportError = (message: string, error: unknown): void => logger.error(message, error);
  const surroundings = { metrics: envelopes, reportError };
  const transformers = new ReloadedTransformers(
    (contents) =>
      new ResourceTransformers(loadEncryption(contents, options), transformations, (entry) =>
        openKmsProvider(entry, surroundings),
      ),
    bytes,
  );
  await Promise.all(transformers.kms.map(async ({ provider }) => provider.ready?.()));
  const registry = new MetricsRegistry();
  for (const family of [...transformations.families, ...envelopes.families]) registry.add(family);
  const onReload = registerReloadMetrics(registry, 'encryption', serverId, bytes);
  const apply = (contents: Uint8Array): Promise<boolean> => transformers.replace(contents);
  const reloaded = isReloaded
    ? new ReloadedConfiguration({ file: path, applied: bytes, apply, onReload, reportError })
    : undefined;
  return {
    transformerOf: (resource) => transformers.current.of(resource),
    countLosses: isReloaded ? (resource) => transformers.countLosses(resource) : undefined,
    checks: kmsChecks(() => transformers.kms, isReloaded),
    metrics: () => registry.families(),
    close() {
      void reloaded?.close();
      transformers.close();
    },
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
  return new EncryptedStorage(storage, cipher, (key) => {
    const resource = resources.find(key);
    return resource === undefined ? undefined : encryption.countLosses?.(resource);
  });
}
