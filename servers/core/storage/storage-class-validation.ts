import { forbidden, invalid, path, required, tooLong, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { deepEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { validateImmutableField } from '../../../shared/apimachinery/meta-validation.ts';
import { isQualifiedName } from '../../../shared/apimachinery/names.ts';
import { stringAt, stringMapAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { messages, oneOf, optionalOneOf } from '../validation/field-rules.ts';

const maxParameters = 512;
const maxParameterBytes = 256 * 1024;

/** StorageClasses (pkg/apis/storage/validation). */
export function validateStorageClass(storageClass: KubeObject): FieldError[] {
  const provisioner = stringAt(storageClass, 'provisioner');
  return [
    ...(provisioner === '' ? [required(path('provisioner'), '')] : messages(isQualifiedName(provisioner.toLowerCase()), path('provisioner'), provisioner.toLowerCase())),
    ...validateParameters(storageClass),
    ...optionalOneOf(stringAt(storageClass, 'reclaimPolicy'), ['Delete', 'Retain'], path('reclaimPolicy')),
    ...oneOf(stringAt(storageClass, 'volumeBindingMode'), ['Immediate', 'WaitForFirstConsumer'], path('volumeBindingMode')),
  ];
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
