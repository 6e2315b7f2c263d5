import { forbidden, invalid, path, required, tooLong, type FieldError, type Path } from '../../../shared/apimachinery/field-error.ts';
import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { validateImmutableField } from '../../../shared/apimachinery/meta-validation.ts';
import { isQualifiedName } from '../../../shared/apimachinery/names.ts';
import { stringAt, stringMapAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { messages, oneOf, optionalOneOf } from '../validation/field-rules.ts';

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** StorageClasses (pkg/apis/storage/validation). */
export function validateStorageClass(storageClass: KubeObject): FieldError[] {
  return [
    ...validateProvisioner(stringAt(storageClass, 'provisioner'), path('provisioner')),
    ...validateParameters(storageClass),
    ...optionalOneOf(stringAt(storageClass, 'reclaimPolicy'), ['Delete', 'Retain'], path('reclaimPolicy')),
    ...oneOf(stringAt(storageClass, 'volumeBindingMode'), ['Immediate', 'WaitForFirstConsumer'], path('volumeBindingMode')),
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
  const fixed = ['driverName', 'parameters'].filter((key) => !deepEqual(attributesClass[key], old[key]));
  return [...fixed.map((key) => forbidden(path(key), `updates to ${key} are forbidden.`)), ...validateAttributesClass(attributesClass)];
}

function validateParameters(storageClass: KubeObject): FieldError[] {
  const parameters = stringMapAt(storageClass, 'parameters');
  const field = path('parameters');
  if (parameters.size > maxParameters) return [tooLong(field, '', maxParameters)];
  const errors: FieldError[] = parameters.has('') ? [invalid(field, '', 'field can not be empty.')] : [];
  const bytes = [...parameters].reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  return bytes > maxParameterBytes ? [...errors, tooLong(field, '', maxParameterBytes)] : errors;
}

export function validateStorageClassUpdate(storageClass: KubeObject, old: KubeObject): FieldError[] {
  const changed = (key: string) => !deepEqual(storageClass[key], old[key]);
  return [
    ...validateStorageClass(storageClass),
    ...(changed('parameters') ? [forbidden(path('parameters'), 'updates to parameters are forbidden.')] : []),
    ...(changed('provisioner') ? [forbidden(path('provisioner'), 'updates to provisioner are forbidden.')] : []),
    ...(changed('reclaimPolicy') ? [forbidden(path('reclaimPolicy'), 'updates to reclaimPolicy are forbidden.')] : []),
    ...validateImmutableField(storageClass['volumeBindingMode'], old['volumeBindingMode'], path('volumeBindingMode')),
  ];
}
