import { invalid, path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { objectAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { decodedLength, emptyNullBytes, validateImmutable, validateKeys, validateSize } from './data-rules.ts';

/** ConfigMaps (pkg/registry/core/configmap). */
export const configMapStrategy: Strategy = {
  applyDefaults: (configMap) => emptyNullBytes(configMap, 'binaryData'),
  validate: (_context, configMap) => validateConfigMap(configMap),
  validateUpdate: (_context, configMap, old) => [...validateImmutable(configMap, old, ['data', 'binaryData']), ...validateConfigMap(configMap)],
};

function validateConfigMap(configMap: KubeObject): FieldError[] {
  const data = objectAt(configMap, 'data');
  const binary = objectAt(configMap, 'binaryData');
  const errors = validateKeys('data', data);
  let bytes = 0;
  for (const [key, value] of Object.entries(data ?? {})) {
    if (binary && Object.hasOwn(binary, key)) errors.push(invalid(path('data').key(key), key, 'duplicate of key present in binaryData'));
    bytes += Buffer.byteLength(String(value));
  }
  errors.push(...validateKeys('binaryData', binary));
  for (const value of Object.values(binary ?? {})) bytes += decodedLength(String(value));
  // The reference's path without a name is printed so.
  return [...errors, ...validateSize('[]', bytes)];
}
