import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { loadEncryption } from './configuration/load-encryption.ts';
import { readEncryptionFile } from './configuration/read-encryption-file.ts';

/** The flags of encryption at rest. */
export interface EncryptionFlags {
  readonly encryptionProviderConfig: string;
  readonly encryptionProviderConfigAutomaticReload: boolean;
}

/** The errors of the file of `--encryption-provider-config`, for a check before anything starts. */
export async function encryptionFileErrors(flags: EncryptionFlags, allowsKmsV1: boolean): Promise<string[]> {
  const path = flags.encryptionProviderConfig;
  if (path === '') return [];
  try {
    const isReloaded = flags.encryptionProviderConfigAutomaticReload;
    loadEncryption(await readEncryptionFile(path), { path, isReloaded, allowsKmsV1 });
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return [`--encryption-provider-config ${JSON.stringify(path)}: ${error.message}`];
  }
}
