import { goForm } from '#servers/core/validation/go-form.ts';
import { quantity } from '#servers/core/validation/quantities.ts';
import { isNative } from '#servers/core/validation/resource-names.ts';
import {
  duplicate,
  forbidden,
  invalid,
  notFound,
  required,
  tooLong,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { messages, oneOf } from '#shared/apimachinery/validation/field-rules.ts';
import { isDNS1123Label, isLabelValue, isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { quantitySign } from '#shared/apimachinery/values/quantity.ts';
import { parseSemanticVersion } from '#shared/apimachinery/values/semantic-version.ts';
import { validateAttributeName } from './attribute-names.ts';
import { validateBindingConditions } from './binding-conditions.ts';
import { validatePlacement } from './placement-validation.ts';
import { validateRequestPolicy } from './request-policy.ts';

// Devices of a slice (pkg/apis/resource/validation).

const maxAttributes = 32;
const maxAttributeValues = 48;
const maxValueBytes = 64;
const maxTaints = 16;
const maxConsumptions = 2;
const maxCounters = 32;

export function validateDevice(
  device: JsonObject,
  placedSingly: boolean,
  taintsChanged: boolean,
  field: Path,
): FieldError[] {
  const taints = objectsAt(device, 'taints');
  return [
    ...messages(isDNS1123Label(stringAt(device, 'name')), field.child('name'), stringAt(device, 'name')),
    ...validateCounts(device, field),
    ...membersOf(device, 'attributes').flatMap(([name, attribute]) => [
      ...validateAttributeName(name, field.child('attributes')),
      ...validateAttribute(attribute, field.child('attributes').key(name)),
    ]),
    ...membersOf(device, 'capacity').flatMap(([name, capacity]) => [
      ...validateAttributeName(name, field.child('capacity')),
      ...validateCapacity(device, capacity, field.child('capacity').key(name)),
    ]),
    ...(taintsChanged
      ? limited(taints, maxTaints, field.child('taints'), (taint, at) => validateTaint(taint, at))
      : []),
    ...validateConsumptions(objectsAt(device, 'consumesCounters'), field.child('consumesCounters')),
    ...(placedSingly ? validatePlacement(device, field, true) : validateUnplaced(device, field)),
    ...validateBindingConditions(device, field),
    ...membersOf(device, 'nodeAllocatableResourceMappings').flatMap(([name, mapping]) =>
      validateMapping(
        name,
        mapping,
        objectAt(device, 'capacity'),
        field.child('nodeAllocatableResourceMappings').key(name),
      ),
    ),
  ];
}

function membersOf(holder: JsonObject, name: string): [string, JsonObject][] {
  return Object.entries(objectAt(holder, name) ?? {}).flatMap(([key, value]) =>
    isObject(value) ? [[key, value] as [string, JsonObject]] : [],
  );
}

function limited(
  items: readonly JsonObject[],
  max: number,
  field: Path,
  validate: (item: JsonObject, field: Path) => FieldError[],
): FieldError[] {
  return items.length > max
    ? [tooMany(field, items.length, max)]
    : items.flatMap((item, index) => validate(item, field.index(index)));
}

function validateCounts(device: JsonObject, field: Path): FieldError[] {
  const attributes = membersOf(device, 'attributes');
  const total = attributes.length + membersOf(device, 'capacity').length;
  const values = attributes.reduce(
    (sum, [, attribute]) =>
      sum +
      Object.values(attribute).reduce((count: number, value) => count + (Array.isArray(value) ? value.length : 1), 0),
    0,
  );
  return [
    ...(total > maxAttributes
      ? [invalid(field, total, `the total number of attributes and capacities must not exceed ${maxAttributes}`)]
      : []),
    ...(values > maxAttributeValues
      ? [invalid(field, values, `the total number of attribute values must not exceed ${maxAttributeValues}`)]
      : []),
  ];
}

function validateAttribute(attribute: JsonObject, field: Path): FieldError[] {
  const given = Object.keys(attribute).filter((name) => attribute[name] !== null && attribute[name] !== undefined);
  const errors = given.flatMap((name) => validateValue(name, attribute, field.child(name)));
  if (given.length === 1) return errors;
  return [
    ...errors,
    invalid(
      field,
      given.length === 0 ? '' : goForm('io.k8s.api.resource.v1.DeviceAttribute', attribute),
      'exactly one value must be specified',
    ),
  ];
}

function validateValue(name: string, attribute: JsonObject, field: Path): FieldError[] {
  const value = getKey(attribute, name);
  if (name === 'string' && typeof value === 'string') return tooLongText(value, field);
  if (name === 'version' && typeof value === 'string') {
    return versionErrors(value, field);
  }
  if (!Array.isArray(value)) return [];
  if (value.length === 0) return [invalid(field, value, 'must not be empty if specified')];
  return value.flatMap((item, index) => {
    if (typeof item !== 'string') return [];
    return name === 'versions' ? versionErrors(item, field.index(index)) : tooLongText(item, field.index(index));
  });
}

function versionErrors(value: string, field: Path): FieldError[] {
  return [
    ...(parseSemanticVersion(value) === undefined
      ? [invalid(field, value, 'must be a string compatible with semver.org spec 2.0.0')]
      : []),
    ...tooLongText(value, field),
  ];
}

function tooLongText(value: string, field: Path): FieldError[] {
  return Buffer.byteLength(value) > maxValueBytes ? [tooLong(field, '', maxValueBytes)] : [];
}

/** Validates which node resources a device accounts for (KEP-5517). */
function validateMapping(
  name: string,
  mapping: JsonObject,
  capacities: JsonObject | undefined,
  field: Path,
): FieldError[] {
  const [multiplier, key] = [mapping['allocationMultiplier'], mapping['capacityKey']];
  const at = field.child('capacityKey');
  return [
    ...(isNative(name) ? [] : [invalid(field, name, 'must be a node allocatable resource name')]),
    ...(multiplier === undefined && key === undefined
      ? [invalid(field, '', 'at least one of allocationMultiplier or capacityKey must be set')]
      : []),
    ...(multiplier === undefined || quantitySign(quantity(multiplier)) > 0
      ? []
      : [invalid(field.child('allocationMultiplier'), String(multiplier), 'must be positive')]),
    ...(typeof key !== 'string'
      ? []
      : key === ''
        ? [invalid(at, '', 'capacityKey must not be an empty string')]
        : capacities !== undefined && Object.hasOwn(capacities, key)
          ? []
          : [notFound(at, key)]),
  ];
}

function validateCapacity(device: JsonObject, capacity: JsonObject, field: Path): FieldError[] {
  const shared = device['allowMultipleAllocations'] === true;
  const policy = objectAt(capacity, 'requestPolicy');
  if (policy === undefined) return [];
  const at = field.child('requestPolicy');
  return shared
    ? validateRequestPolicy(policy, quantity(capacity['value']), at)
    : [forbidden(at, 'allowMultipleAllocations must be true')];
}

/** Validates a taint. `before` is its old state: an unchanged effect is not validated again. */
export function validateTaint(taint: JsonObject, field: Path, before?: JsonObject): FieldError[] {
  const [key = '', value = '', effect = ''] = ['key', 'value', 'effect'].map((name) => stringAt(taint, name));
  return [
    ...messages(isQualifiedName(key), field.child('key'), key),
    ...(value === '' ? [] : messages(isLabelValue(value), field.child('value'), value)),
    ...(before !== undefined && stringAt(before, 'effect') === effect
      ? []
      : oneOf(effect, ['NoExecute', 'NoSchedule', 'None'], field.child('effect'))),
  ];
}

function validateConsumptions(consumptions: readonly JsonObject[], field: Path): FieldError[] {
  const seen = new Set<string>();
  const errors = limited(consumptions, maxConsumptions, field, (item, at) => validateCounters(item, 'counterSet', at));
  return consumptions.length > maxConsumptions
    ? errors
    : [
        ...errors,
        ...consumptions.flatMap((item, index) => {
          const name = stringAt(item, 'counterSet');
          const again = seen.has(name);
          seen.add(name);
          return again ? [duplicate(field.index(index), name)] : [];
        }),
      ];
}

/** Validates a set of counters or the use of one; `key` is the member with the name of the set. */
export function validateCounters(item: JsonObject, key: 'name' | 'counterSet', field: Path): FieldError[] {
  const name = stringAt(item, key);
  const counters = Object.keys(objectAt(item, 'counters') ?? {});
  const at = field.child('counters');
  const own = name === '' ? [required(field.child(key), '')] : messages(isDNS1123Label(name), field.child(key), name);
  if (counters.length === 0) return [...own, required(at, '')];
  if (counters.length > maxCounters) return [...own, tooMany(at, counters.length, maxCounters)];
  return [...own, ...counters.flatMap((counter) => messages(isDNS1123Label(counter), at, counter))];
}

function validateUnplaced(device: JsonObject, field: Path): FieldError[] {
  const placed = ['nodeName', 'nodeSelector', 'allNodes'].some((name) => getKey(device, name) !== undefined);
  return placed
    ? [
        invalid(
          field,
          null,
          '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec',
        ),
      ]
    : [];
}
