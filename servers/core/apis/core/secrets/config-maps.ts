import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { decodedLengths, emptyNullBytes, validateImmutable, validateKeys, validateSize } from './data-rules.ts';
import { configMapRows } from './secret-rows.ts';

/** ConfigMaps (pkg/registry/core/configmap). */
const configMapStrategy: Strategy = {
  applyDefaults: (configMap) => atOnce(emptyNullBytes(configMap, 'binaryData')),
  applyDefaultsInSteps: (configMap) => emptyNullBytes(configMap, 'binaryData'),
  validate: (configMap) => atOnce(validateConfigMap(configMap)),
  validateUpdate: (configMap, old) => atOnce(validateUpdate(configMap, old)),
  validateInSteps: (configMap, old) =>
    old === undefined ? validateConfigMap(configMap) : validateUpdate(configMap, old),
};

function* validateUpdate(configMap: KubeObject, old: KubeObject): Steps<FieldError[]> {
  return [...validateImmutable(configMap, old, ['data', 'binaryData']), ...(yield* validateConfigMap(configMap))];
}

function* validateConfigMap(configMap: KubeObject): Steps<FieldError[]> {
  const data = objectAt(configMap, 'data') ?? {};
  const binary = objectAt(configMap, 'binaryData') ?? {};
  const errors = yield* validateKeys('data', data);
  let bytes = 0;
  for (const key of Object.keys(data)) {
    if (Object.hasOwn(binary, key))
      errors.push(invalid(path('data').key(key), key, 'duplicate of key present in binaryData'));
    bytes += Buffer.byteLength(String(getKey(data, key)));
    if (sliceIsOver()) yield;
  }
  for (const error of yield* validateKeys('binaryData', binary)) errors.push(error);
  bytes += yield* decodedLengths(binary);
  // The reference prints a path without a name as `[]`.
  return [...errors, ...validateSize('[]', bytes)];
}

export const configMapResource = defineBuiltIn({
  group: '',
  resource: 'configmaps',
  rows: configMapRows,
  strategy: configMapStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
});
