import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import {
  goInt64,
  goString,
  pointerTo,
  sliceOf,
  type EncodingJsonType,
} from '#shared/serializer/json/encoding-json-types.ts';
import { decodeEncodingJson } from '#shared/serializer/json/encoding-json.ts';
import { validateTolerations } from './taints.ts';

const annotation = 'scheduler.alpha.kubernetes.io/tolerations';

const tolerationsType: EncodingJsonType = sliceOf({
  kind: 'struct',
  name: 'core.Toleration',
  fields: [
    { name: 'Key', as: 'key', type: goString },
    { name: 'Operator', as: 'operator', type: { kind: 'string', name: 'core.TolerationOperator' } },
    { name: 'Value', as: 'value', type: goString },
    { name: 'Effect', as: 'effect', type: { kind: 'string', name: 'core.TaintEffect' } },
    { name: 'TolerationSeconds', as: 'tolerationSeconds', type: pointerTo(goInt64) },
  ],
});

/**
 * Validates the tolerations in the annotation that stood for the field before 1.6
 * (ValidateTolerationsInPodAnnotations).
 * @param compares whether tolerations may compare taints as numbers
 */
export function validateAnnotatedTolerations(annotations: JsonObject, compares: boolean, field: Path): FieldError[] {
  const text = getKey(annotations, annotation);
  if (typeof text !== 'string' || text === '') return [];
  const { value, error } = decodeEncodingJson(text, tolerationsType);
  if (error !== undefined) return [invalid(field, annotation, error)];
  const tolerations = Array.isArray(value) ? value.filter(isObject) : [];
  return atOnce(validateTolerations(tolerations, compares, field.child(annotation)));
}
