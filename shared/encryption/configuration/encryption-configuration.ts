import type { KmsConfiguration } from '#shared/encryption/contract/encryption-provider.ts';

/** A key of a local provider. */
export interface EncryptionKey {
  readonly name: string;
  /** The key itself, in base64. */
  readonly secret: string;
}

/** A `kms` entry as the file has it, with defaults; `cacheSize` is undefined where there is none. */
export interface KmsEntry extends Omit<KmsConfiguration, 'apiVersion' | 'cacheSize' | 'timeoutMs'> {
  readonly apiVersion: string;
  readonly cacheSize: number | undefined;
  /** In nanoseconds. */
  readonly timeout: bigint;
}

/** One entry of `providers`, of which exactly one field should be set. */
export interface ProviderEntry {
  readonly aesgcm?: readonly EncryptionKey[];
  readonly aescbc?: readonly EncryptionKey[];
  readonly secretbox?: readonly EncryptionKey[];
  readonly identity?: true;
  readonly kms?: KmsEntry;
}

/** Resources, and the providers of their values: the first writes, all read. */
export interface ResourceEncryption {
  /** `secrets`, `pandas.awesome.bears.example`, `*.apps`, `*.` (the core group) or `*.*`. */
  readonly resources: readonly string[];
  readonly providers: readonly ProviderEntry[];
}

/** An EncryptionConfiguration (apiserver/pkg/apis/apiserver/v1/types_encryption.go). */
export interface EncryptionConfiguration {
  readonly resources: readonly ResourceEncryption[];
}
