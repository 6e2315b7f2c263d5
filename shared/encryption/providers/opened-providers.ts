import { decodedKey } from '#shared/encryption/configuration/decoded-key.ts';
import type {
  EncryptionKey,
  KmsEntry,
  ProviderEntry,
} from '#shared/encryption/configuration/encryption-configuration.ts';
import type { EncryptionProvider, KmsConfiguration } from '#shared/encryption/contract/encryption-provider.ts';
import type { ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';
import {
  aesCbcTransformer,
  aesGcmTransformer,
  identityTransformer,
  secretboxTransformer,
} from './local-transformers.ts';
import { PrefixDispatch, type PrefixedTransformer } from './prefix-dispatch.ts';
import type { TransformationRecorder } from './transformation-metrics.ts';

/** Opens a `kms` entry. @throws Error */
export type OpenKms = (configuration: KmsConfiguration) => EncryptionProvider;

/** An opened entry of `providers`: its transformer for one resource, whose operations are recorded. */
export interface OpenedProvider {
  forResource(record: TransformationRecorder): PrefixedTransformer;
  readonly kms?: OpenedKms;
}

export interface OpenedKms {
  readonly provider: EncryptionProvider;
  readonly apiVersion: 'v1' | 'v2';
  /** Of one call. */
  readonly timeoutMs: number;
}

const noAesKey = 'no matching key was found for the provided AES transformer';
const noSecretboxKey = 'no matching key was found for the provided Secretbox transformer';

/** Opens a valid entry. @throws Error for a KMS that cannot be opened */
export function openProvider(entry: ProviderEntry, openKms: OpenKms): OpenedProvider {
  if (entry.aesgcm !== undefined) return withKeys('k8s:enc:aesgcm:v1:', entry.aesgcm, aesGcmTransformer, noAesKey);
  if (entry.aescbc !== undefined) return withKeys('k8s:enc:aescbc:v1:', entry.aescbc, aesCbcTransformer, noAesKey);
  if (entry.secretbox !== undefined)
    return withKeys('k8s:enc:secretbox:v1:', entry.secretbox, secretboxTransformer, noSecretboxKey);
  if (entry.kms !== undefined) return withKms(entry.kms, openKms);
  return { forResource: () => ({ prefix: '', transformer: identityTransformer }) };
}

function withKeys(
  prefix: string,
  keys: readonly EncryptionKey[],
  transformerOf: (key: Uint8Array) => ValueTransformer,
  noKey: string,
): OpenedProvider {
  const choices = keys.map(({ name, secret }) => ({
    prefix: `${name}:`,
    transformer: transformerOf(decodedKey(secret) as Buffer),
  }));
  return { forResource: (record) => ({ prefix, transformer: new PrefixDispatch(choices, noKey, record) }) };
}

function withKms({ timeout, cacheSize = 0, ...entry }: KmsEntry, openKms: OpenKms): OpenedProvider {
  const timeoutMs = Number(timeout) / 1e6;
  const apiVersion = entry.apiVersion === 'v1' ? 'v1' : 'v2';
  const provider = openKms({ ...entry, apiVersion, timeoutMs, cacheSize });
  return { forResource: () => provider, kms: { provider, timeoutMs, apiVersion } };
}
