import { validateAmount, validatePositiveQuantity } from '#servers/core/validation/quantities.ts';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { validateLabelSelector } from '#shared/apimachinery/selectors/validate-label-selector.ts';
import { messages, givenOneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Subdomain, nameIsDNSLabel, nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';

const accessModes = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'];

/** `accessModes` of claims and volumes. */
export function validateAccessModes(modes: readonly string[], field: Path): FieldError[] {
  const errors = modes
    .filter((mode) => !accessModes.includes(mode))
    .map((mode) => notSupported(field, mode, accessModes));
  const mixed =
    modes.includes('ReadWriteOncePod') &&
    modes.some((mode) => mode !== 'ReadWriteOncePod' && accessModes.includes(mode));
  return mixed ? [...errors, forbidden(field, 'may not use ReadWriteOncePod with other access modes')] : errors;
}

/**
 * Validates the spec of a PersistentVolumeClaim, also within templates. If a data source of the old spec has an API
 * group, any group is allowed.
 */
export function validateClaimSpec(spec: JsonObject, field: Path, old?: JsonObject): FieldError[] {
  const modes = stringsAt(spec, 'accessModes');
  const [className, attributesClass] = [
    stringAt(spec, 'storageClassName'),
    stringAt(spec, 'volumeAttributesClassName'),
  ];
  return [
    ...(modes.length === 0 ? [required(field.child('accessModes'), 'at least 1 access mode is required')] : []),
    ...validateLabelSelector(objectAt(spec, 'selector'), field.child('selector')),
    ...validateAccessModes(modes, field.child('accessModes')),
    ...validateStorage(spec, field.child('resources').key('storage')),
    ...(className === ''
      ? []
      : messages(nameIsDNSSubdomain(className, false), field.child('storageClassName'), className)),
    ...givenOneOf(spec['volumeMode'], ['Block', 'Filesystem'], field.child('volumeMode')),
    ...validateSources(
      spec,
      field,
      ['dataSource', 'dataSourceRef'].some((name) => objectAt(old, name)?.['apiGroup'] !== undefined),
    ),
    ...(attributesClass === ''
      ? []
      : messages(
          nameIsDNSSubdomain(attributesClass, false),
          field.child('volumeAttributesClassName'),
          attributesClass,
        )),
  ];
}

function validateStorage(spec: JsonObject, field: Path): FieldError[] {
  const amount = objectAt(spec, 'resources', 'requests')?.['storage'];
  if (amount === undefined) return [required(field, '')];
  const errors = validatePositiveQuantity(amount, field);
  return errors.length > 0 ? errors : validateAmount('storage', amount, field);
}

function validateSources(spec: JsonObject, field: Path, anyGroup: boolean): FieldError[] {
  const [source, reference] = [objectAt(spec, 'dataSource'), objectAt(spec, 'dataSourceRef')];
  const errors = [
    ...(source ? validateSource(source, field.child('dataSource'), anyGroup) : []),
    ...(reference ? validateSource(reference, field.child('dataSourceRef'), anyGroup) : []),
  ];
  if (!source || !reference) return errors;
  // As in the reference, the value in the error is a path, which prints as `{}`.
  if (stringAt(reference, 'namespace') !== '')
    return [...errors, invalid(field, {}, 'may not be specified when dataSourceRef.namespace is specified')];
  const same = ['apiGroup', 'kind', 'name'].every((key) => getKey(source, key) === getKey(reference, key));
  return same ? errors : [...errors, invalid(field, {}, 'must match dataSourceRef')];
}

function validateSource(source: JsonObject, field: Path, anyGroup: boolean): FieldError[] {
  const [group, kind, namespace] = [
    stringAt(source, 'apiGroup'),
    stringAt(source, 'kind'),
    stringAt(source, 'namespace'),
  ];
  const errors = ['name', 'kind']
    .filter((key) => stringAt(source, key) === '')
    .map((key) => required(field.child(key), ''));
  if (group === '' && kind !== 'PersistentVolumeClaim')
    errors.push(invalid(field, kind, "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  if (group !== '' && !anyGroup) errors.push(...messages(isDNS1123Subdomain(group), field.child('apiGroup'), group));
  return namespace === ''
    ? errors
    : [...errors, ...messages(nameIsDNSLabel(namespace, false), field.child('namespace'), namespace)];
}
