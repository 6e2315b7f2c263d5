import { sameMembers } from '#shared/api/same-by-type.ts';
import {
  duplicate,
  forbidden,
  invalid,
  path,
  required,
  tooLong,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringMapAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { semanticEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { givenOneOf, messages, optionalOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** StorageClasses (pkg/apis/storage/validation). */
export function validateStorageClass(storageClass: KubeObject): FieldError[] {
  return [
    ...validateProvisioner(stringAt(storageClass, 'provisioner'), path('provisioner')),
    ...validateParameters(storageClass),
    ...optionalOneOf(stringAt(storageClass, 'reclaimPolicy'), ['Delete', 'Retain'], path('reclaimPolicy')),
    ...givenOneOf(storageClass['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer'], path('volumeBindingMode')),
    ...validateTopologies(objectsAt(storageClass, 'allowedTopologies')),
  ];
}

function validateTopologies(terms: readonly JsonObject[]): FieldError[] {
  // As in the reference, the list of seen terms starts with as many empty terms as there are terms.
  const seen = new Map<string, number>([['', terms.length]]);
  return terms.flatMap((term, index) => {
    const field = path('allowedTopologies').index(index).child('matchLabelExpressions');
    const requirements = objectsAt(term, 'matchLabelExpressions');
    const keys = requirements.map((requirement) => stringAt(requirement, 'key'));
    const repeated = repetitions(keys);
    const errors = requirements.flatMap((requirement, position) => [
      ...validateRequirement(requirement, field.index(position)),
      ...(repeated[position] === true ? [duplicate(field.index(position).child('key'), keys[position] ?? '')] : []),
    ]);
    const form = requirements
      .map(
        (requirement) =>
          `${stringAt(requirement, 'key')}=${[...new Set(stringsAt(requirement, 'values'))].toSorted().join(',')}`,
      )
      .toSorted()
      .join(';');
    const times = seen.get(form) ?? 0;
    for (let i = 0; i < times; i++) errors.push(duplicate(field, ''));
    seen.set(form, times + 1);
    return errors;
  });
}

function validateRequirement(requirement: JsonObject, field: Path): FieldError[] {
  const [key, values] = [stringAt(requirement, 'key'), stringsAt(requirement, 'values')];
  const repeated = repetitions(values);
  return [
    ...(values.length === 0 ? [required(field.child('values'), '')] : []),
    ...values.flatMap((value, index) =>
      repeated[index] === true ? [duplicate(field.child('values').index(index), value)] : [],
    ),
    ...messages(isQualifiedName(key), field.child('key'), key),
  ];
}

function validateProvisioner(name: string, field: Path): FieldError[] {
  return name === '' ? [required(field, '')] : messages(isQualifiedName(name.toLowerCase()), field, name.toLowerCase());
}

/** VolumeAttributesClasses. */
export function validateAttributesClass(attributesClass: KubeObject): FieldError[] {
  const isEmpty = stringMapAt(attributesClass, 'parameters').size === 0;
  return [
    ...validateProvisioner(stringAt(attributesClass, 'driverName'), path('driverName')),
    ...validateParameters(attributesClass),
    ...(isEmpty ? [required(path('parameters'), 'must contain at least one key/value pair')] : []),
  ];
}

export function validateAttributesClassUpdate(attributesClass: KubeObject, old: KubeObject): FieldError[] {
  const fixed = ['driverName', 'parameters'].filter(
    (key) => !sameMembers('io.k8s.api.storage.v1.VolumeAttributesClass', [key], attributesClass, old),
  );
  return [
    ...fixed.map((key) => forbidden(path(key), `updates to ${key} are forbidden.`)),
    ...validateAttributesClass(attributesClass),
  ];
}

function validateParameters(storageClass: KubeObject): FieldError[] {
  const parameters = stringMapAt(storageClass, 'parameters');
  const field = path('parameters');
  if (parameters.size > maxParameters) return [tooLong(field, '', maxParameters)];
  const errors: FieldError[] = parameters.has('') ? [invalid(field, '', 'field can not be empty.')] : [];
  const bytes = [...parameters].reduce(
    (sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value),
    0,
  );
  return bytes > maxParameterBytes ? [...errors, tooLong(field, '', maxParameterBytes)] : errors;
}

/** A changed map is printed in the order of its keys. */
function validateSameParameters(parameters: JsonValue | undefined, old: JsonValue | undefined): FieldError[] {
  if (semanticEqual(parameters, old)) return [];
  const sorted: JsonObject = {};
  if (isObject(parameters))
    for (const key of Object.keys(parameters).sort(compareUtf8)) setKey(sorted, key, parameters[key] ?? null);
  return [invalid(path('parameters'), isObject(parameters) ? sorted : null, 'field is immutable')];
}

export function validateStorageClassUpdate(storageClass: KubeObject, old: KubeObject): FieldError[] {
  return [
    ...validateStorageClass(storageClass),
    ...validateSameParameters(storageClass['parameters'], old['parameters']),
    ...validateImmutableField(stringAt(storageClass, 'provisioner'), stringAt(old, 'provisioner'), path('provisioner')),
    ...['reclaimPolicy', 'volumeBindingMode'].flatMap((key) =>
      validateImmutableField(getKey(storageClass, key), getKey(old, key), path(key)),
    ),
  ];
}
