import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { EncryptionProvider, KmsConfiguration } from '#shared/encryption/contract/encryption-provider.ts';
import type { KmsSurroundings } from './plugin/kms-surroundings.ts';
import { openKmsV1Provider } from './v1/open-kms-v1-provider.ts';
import { openKmsV2Provider } from './v2/open-kms-v2-provider.ts';

/**
 * Opens a `kms` entry of an EncryptionConfiguration. A plugin that is away is no error: `ready` waits for its first
 * answer or failure, and `health` tells of it.
 * @throws Error for an endpoint that is no Unix socket
 */
export function openKmsProvider(configuration: KmsConfiguration, surroundings: KmsSurroundings): EncryptionProvider {
  const { apiVersion, name } = configuration;
  try {
    const open = apiVersion === 'v1' ? openKmsV1Provider : openKmsV2Provider;
    return open(configuration, surroundings);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`could not configure KMS${apiVersion}-Plugin's probe ${goQuote(name)}, error: ${reason}`, {
      cause: error,
    });
  }
}
