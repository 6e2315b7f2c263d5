import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { serverKinds } from '#shared/configuration/server-kinds.ts';
import type {
  EncryptionConfiguration,
  EncryptionKey,
  KmsEntry,
  ProviderEntry,
  ResourceEncryption,
} from './encryption-configuration.ts';

/** The file is of another kind that the reference knows. */
export class OtherKindError extends ConfigurationError {}

const kind = 'EncryptionConfiguration';
const keys = [['keys', 0, '[]#Key', '']] as const;
const scheme: ConfigurationScheme = {
  isStrict: true,
  // `EncryptionConfig` of v1 is the kind of before Kubernetes 1.13.
  kinds: [...serverKinds(kind), { apiVersion: 'v1', kind: 'EncryptionConfig', struct: kind }],
  refusal(gvk) {
    throw new OtherKindError(`got unexpected config type: ${formatGroupVersion(gvk)}, Kind=${gvk.kind}`);
  },
  types: {
    EncryptionConfiguration: [['resources', 0, '[]#ResourceConfiguration', '']],
    ResourceConfiguration: [
      ['resources', 0, '[]string', ''],
      ['providers', 0, '[]#ProviderConfiguration', ''],
    ],
    ProviderConfiguration: [
      ['aesgcm', 0, '#AESConfiguration', 'pe', { g: 'AESGCM' }],
      ['aescbc', 0, '#AESConfiguration', 'pe', { g: 'AESCBC' }],
      ['secretbox', 0, '#SecretboxConfiguration', 'pe'],
      ['identity', 0, '#IdentityConfiguration', 'pe'],
      ['kms', 0, '#KMSConfiguration', 'pe', { g: 'KMS' }],
    ],
    AESConfiguration: keys,
    SecretboxConfiguration: keys,
    IdentityConfiguration: [],
    Key: [
      ['name', 0, 'string', ''],
      ['secret', 0, 'string', ''],
    ],
    KMSConfiguration: [
      ['apiVersion', 0, 'string', '', { g: 'APIVersion' }],
      ['name', 0, 'string', ''],
      ['cachesize', 0, 'int32', 'pe', { g: 'CacheSize' }],
      ['endpoint', 0, 'string', ''],
      ['timeout', 0, 'duration', 'pe'],
    ],
  },
};

const defaultTimeout = 3_000_000_000n;
const defaultCacheSize = 1_000;

/**
 * Decodes an EncryptionConfiguration and fills in its defaults (apiserver/pkg/apis/apiserver/v1/defaults.go).
 * @throws ConfigurationError
 */
export function decodeEncryption(bytes: Uint8Array): EncryptionConfiguration {
  return { resources: objectsAt(decodeConfiguration(scheme, bytes), 'resources').map(resourceEncryptionOf) };
}

function resourceEncryptionOf(decoded: JsonObject): ResourceEncryption {
  return {
    resources: stringsAt(decoded, 'resources'),
    providers: objectsAt(decoded, 'providers').map(providerOf),
  };
}

function providerOf(decoded: JsonObject): ProviderEntry {
  const [aesgcm, aescbc, secretbox] = ['aesgcm', 'aescbc', 'secretbox'].map((name) => objectAt(decoded, name));
  const kms = objectAt(decoded, 'kms');
  return {
    ...(aesgcm && { aesgcm: keysOf(aesgcm) }),
    ...(aescbc && { aescbc: keysOf(aescbc) }),
    ...(secretbox && { secretbox: keysOf(secretbox) }),
    ...(objectAt(decoded, 'identity') && { identity: true as const }),
    ...(kms && { kms: kmsOf(kms) }),
  };
}

function keysOf(decoded: JsonObject): EncryptionKey[] {
  return objectsAt(decoded, 'keys').map((key) => ({ name: stringAt(key, 'name'), secret: stringAt(key, 'secret') }));
}

function kmsOf(decoded: JsonObject): KmsEntry {
  const apiVersion = stringAt(decoded, 'apiVersion') || 'v1';
  const timeout = decoded['timeout'];
  return {
    apiVersion,
    name: stringAt(decoded, 'name'),
    endpoint: stringAt(decoded, 'endpoint'),
    cacheSize: numberAt(decoded, 'cachesize') ?? (apiVersion === 'v1' ? defaultCacheSize : undefined),
    timeout: typeof timeout === 'string' ? parseDuration(timeout) : defaultTimeout,
  };
}
