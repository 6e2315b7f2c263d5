import { validateTaints } from '#servers/core/apis/core/pods/validation/taints.ts';
import { invalid, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import {
  goBoolean,
  goString,
  goTime,
  pointerTo,
  sliceOf,
  type EncodingJsonType,
} from '#shared/serializer/json/encoding-json-types.ts';
import { decodeEncodingJson } from '#shared/serializer/json/encoding-json.ts';

// Annotations of nodes that hold values of Go types (pkg/apis/core/validation, ValidateNodeSpecificAnnotations).

const taintsAnnotation = 'scheduler.alpha.kubernetes.io/taints';
const avoidedAnnotation = 'scheduler.alpha.kubernetes.io/preferAvoidPods';

const taintsType: EncodingJsonType = sliceOf({
  kind: 'struct',
  name: 'core.Taint',
  fields: [
    { name: 'Key', as: 'key', type: goString },
    { name: 'Value', as: 'value', type: goString },
    { name: 'Effect', as: 'effect', type: { kind: 'string', name: 'core.TaintEffect' } },
    { name: 'TimeAdded', as: 'timeAdded', type: pointerTo(goTime) },
  ],
});

const ownerType: EncodingJsonType = {
  kind: 'struct',
  name: 'v1.OwnerReference',
  fields: [
    { name: 'apiVersion', type: goString },
    { name: 'kind', type: goString },
    { name: 'name', type: goString },
    { name: 'uid', type: { kind: 'string', name: 'types.UID' } },
    { name: 'controller', type: pointerTo(goBoolean) },
    { name: 'blockOwnerDeletion', type: pointerTo(goBoolean) },
  ],
};

const avoidedType: EncodingJsonType = {
  kind: 'struct',
  name: 'v1.AvoidPods',
  fields: [
    {
      name: 'preferAvoidPods',
      type: sliceOf({
        kind: 'struct',
        name: 'v1.PreferAvoidPodsEntry',
        fields: [
          {
            name: 'podSignature',
            type: {
              kind: 'struct',
              name: 'v1.PodSignature',
              fields: [{ name: 'podController', type: pointerTo(ownerType) }],
            },
          },
          { name: 'evictionTime', type: goTime },
          { name: 'reason', type: goString },
          { name: 'message', type: goString },
        ],
      }),
    },
  ],
};

export function validateNodeAnnotations({ metadata }: KubeObject, field: Path): FieldError[] {
  const { annotations } = metadata;
  return annotations === undefined
    ? []
    : [...validateAnnotatedTaints(annotations, field), ...validateAvoidedPods(annotations, field)];
}

function validateAnnotatedTaints(annotations: JsonObject, field: Path): FieldError[] {
  const text = getKey(annotations, taintsAnnotation);
  if (typeof text !== 'string' || text === '') return [];
  const { value, error } = decodeEncodingJson(text, taintsType);
  if (error !== undefined) return [invalid(field, taintsAnnotation, error)];
  return validateTaints(Array.isArray(value) ? value.filter(isObject) : [], field.child(taintsAnnotation));
}

function validateAvoidedPods(annotations: JsonObject, field: Path): FieldError[] {
  const text = getKey(annotations, avoidedAnnotation);
  if (typeof text !== 'string' || text === '') return [];
  const { value, error } = decodeEncodingJson(text, avoidedType);
  if (error !== undefined) return [invalid(field.child('AvoidPods'), avoidedAnnotation, error)];
  return objectsAt(value, 'preferAvoidPods').flatMap((entry, index) => {
    const at = field.child(avoidedAnnotation).index(index).child('PodSignature');
    const controller = objectAt(entry, 'podSignature', 'podController');
    if (controller === undefined) return [required(at, '')];
    return booleanAt(controller, 'controller') === true
      ? []
      : [invalid(at.child('PodController', 'Controller'), false, 'must point to a controller')];
  });
}
