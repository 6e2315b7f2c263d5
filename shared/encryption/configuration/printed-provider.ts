import { goJson } from '#shared/apimachinery/text/go-format.ts';
import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import type { EncryptionKey, ProviderEntry } from './encryption-configuration.ts';

/** A provider as the reference prints it in errors; where it prints the keys themselves, this prints `REDACTED`. */
export function printedProvider({ aesgcm, aescbc, secretbox, identity, kms }: ProviderEntry): string {
  return goJson({
    AESGCM: withKeys(aesgcm),
    AESCBC: withKeys(aescbc),
    Secretbox: withKeys(secretbox),
    Identity: identity === undefined ? null : {},
    KMS:
      kms === undefined
        ? null
        : {
            APIVersion: kms.apiVersion,
            Name: kms.name,
            CacheSize: kms.cacheSize ?? null,
            Endpoint: kms.endpoint,
            Timeout: formatDuration(kms.timeout),
          },
  });
}

function withKeys(keys: readonly EncryptionKey[] | undefined): { Keys: { Name: string; Secret: string }[] } | null {
  return keys === undefined ? null : { Keys: keys.map(({ name }) => ({ Name: name, Secret: 'REDACTED' })) };
}
