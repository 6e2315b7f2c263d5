import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { invalid, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefaultText } from '#shared/apimachinery/set-default.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { mapFault } from '#shared/serializer/json/map-fault.ts';
import { decodedLengths, emptyNullBytes, validateImmutable, validateKeys, validateSize } from './data-rules.ts';
import { keyPairFault } from './key-pair-warnings.ts';
import { secretRows } from './secret-rows.ts';

/** Secrets (pkg/registry/core/secret). */
const secretStrategy: Strategy = {
  applyDefaults: (secret) => atOnce(defaultSecret(secret)),
  applyDefaultsInSteps: defaultSecret,
  validate: (secret) => atOnce(validateSecret(secret)),
  validateUpdate: (secret, old) => atOnce(validateUpdate(secret, old)),
  validateInSteps: (secret, old) => (old === undefined ? validateSecret(secret) : validateUpdate(secret, old)),
  warningsOnCreate: pairWarnings,
  warningsOnUpdate: pairWarnings,
  selectableFields: (secret) => ({ type: stringAt(secret, 'type') }),
};

function* validateUpdate(secret: KubeObject, old: KubeObject): Steps<FieldError[]> {
  return [
    ...(stringAt(secret, 'type') === stringAt(old, 'type')
      ? []
      : [invalid(path('type'), stringAt(secret, 'type'), 'field is immutable')]),
    ...validateImmutable(secret, old, ['data']),
    ...(yield* validateSecret(secret)),
  ];
}

/** Warns if the certificate and the key of a TLS Secret do not belong together. */
function pairWarnings(secret: KubeObject): string[] {
  if (stringAt(secret, 'type') !== 'kubernetes.io/tls') return [];
  const part = (key: string): Buffer => Buffer.from(stringAt(secret, 'data', key), 'base64');
  const fault = keyPairFault(part('tls.crt'), part('tls.key'));
  return fault === undefined ? [] : [fault];
}

function* defaultSecret(secret: KubeObject): Steps<void> {
  yield* foldStringData(secret);
  yield* emptyNullBytes(secret, 'data');
  setDefaultText(secret, 'type', 'Opaque');
}

/** Moves the entries of the write-only `stringData` into `data`, where they replace entries with the same key. */
function* foldStringData(secret: KubeObject): Steps<void> {
  const texts = objectAt(secret, 'stringData') ?? {};
  delete secret['stringData'];
  const keys = Object.keys(texts);
  if (keys.length === 0) return;
  const data = ensureObject(secret, 'data');
  for (const key of keys) {
    setKey(data, key, Buffer.from(String(getKey(texts, key))).toString('base64'));
    if (sliceIsOver()) yield;
  }
}

function* validateSecret(secret: KubeObject): Steps<FieldError[]> {
  const data = objectAt(secret, 'data') ?? {};
  const bytes = yield* decodedLengths(data);
  return [...(yield* validateKeys('data', data)), ...validateSize('data', bytes), ...validateType(secret, data)];
}

/** Validates the keys that the well-known types require (pkg/apis/core/types.go, SecretType). */
function validateType(secret: KubeObject, data: JsonObject): FieldError[] {
  const at = (key: string) => path('data').key(key);
  const missing = (...keys: string[]) =>
    keys.filter((key) => !Object.hasOwn(data, key)).map((key) => required(at(key), ''));
  switch (stringAt(secret, 'type')) {
    case 'kubernetes.io/service-account-token': {
      const key = 'kubernetes.io/service-account.name';
      return secret.metadata.annotations?.[key] ? [] : [required(path('metadata', 'annotations').key(key), '')];
    }
    case 'kubernetes.io/dockercfg':
      return [...missing('.dockercfg'), ...validateJson(data, '.dockercfg')];
    case 'kubernetes.io/dockerconfigjson':
      return [...missing('.dockerconfigjson'), ...validateJson(data, '.dockerconfigjson')];
    case 'kubernetes.io/basic-auth': {
      const errors = missing('username', 'password');
      return errors.length === 2 ? errors : [];
    }
    case 'kubernetes.io/ssh-auth':
      return data['ssh-privatekey'] ? [] : [required(at('ssh-privatekey'), '')];
    case 'kubernetes.io/tls':
      return missing('tls.crt', 'tls.key');
    default:
      return [];
  }
}

/** The error of Go when it decodes the text into a `map[string]interface{}`. */
function validateJson(data: JsonObject, key: string): FieldError[] {
  const value = getKey(data, key);
  if (typeof value !== 'string') return [];
  const detail = mapFault(Buffer.from(value, 'base64'));
  return detail === undefined ? [] : [invalid(path('data').key(key), '<secret contents redacted>', detail)];
}

export const secretResource = defineBuiltIn({
  group: '',
  resource: 'secrets',
  rows: secretRows,
  strategy: secretStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
});
