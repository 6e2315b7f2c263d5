import type { Facts } from '#shared/api/facts.ts';
import type { FeatureGates } from '#shared/api/feature-gates.ts';
import type { Encryption } from '#shared/encryption/open-encryption.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { HealthCheck } from '#shared/server/health.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import type { Storage } from '#shared/storage/storage.ts';

const reloadHook = 'poststarthook/start-encryption-provider-config-automatic-reload';

/** The encryption of a process's storage. */
export interface ProcessEncryption extends Pick<Encryption, 'metrics' | 'close'> {
  readonly checks: readonly HealthCheck[];
  /** Storage whose values are encrypted in one etcd. */
  readonly encrypting: (storage: Storage) => Storage;
}

export interface ProcessEncryptionOptions {
  readonly options: ServerOptions;
  readonly facts: Facts;
  readonly gates: FeatureGates;
  readonly serverId: string;
  readonly logger: Logger;
}

/**
 * Opens the encryption at rest that the flags say; undefined where they say none, and then none of its code is loaded.
 * @throws ConfigurationError for a file that cannot be used
 */
export async function openProcessEncryption(given: ProcessEncryptionOptions): Promise<ProcessEncryption | undefined> {
  const { options, facts, gates, serverId, logger } = given;
  const path = options.encryptionProviderConfig;
  if (path === '') return undefined;
  const { openEncryption, encryptedStorage } = await import('#shared/encryption/open-encryption.ts');
  const encryption = await openEncryption({
    path,
    isReloaded: options.encryptionProviderConfigAutomaticReload,
    allowsKmsV1: gates.isEnabled('KMSv1'),
    serverId,
    logger,
  });
  const encrypting = (storage: Storage): Storage =>
    encryptedStorage(storage, { prefix: options.etcdPrefix, facts, encryption });
  const checks = encryption.checks.map((check): HealthCheck => ({ ...check, endpoints: ['healthz', 'readyz'] }));
  // The file has been followed from here on.
  if (options.encryptionProviderConfigAutomaticReload) checks.push({ name: reloadHook, check: () => undefined });
  return { ...encryption, checks, encrypting };
}
