import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import {
  duplicate,
  invalid,
  path,
  required,
  tooLong,
  tooMany,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { validateImmutableField } from '#shared/apimachinery/validation/meta-validation.ts';
import { isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import { withNamedString } from '#shared/registry/named-strings.ts';
import { raiseGeneration } from '#shared/registry/object-metadata.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { applySliceDefaults } from './device-taints.ts';
import { validateCounters, validateDevice } from './device-validation.ts';
import { gatedSliceFields } from './gated-fields.ts';
import { validatePlacement } from './placement-validation.ts';
import { resourceSliceRows } from './rows.ts';
import { sliceConversion } from './slice-conversion.ts';

const specField = path('spec');
const maxPoolNameBytes = 253;
const maxDevices = 128;
/** Maximum of devices in a slice with taints or counters. */
const maxDevicesWithTaintsOrCounters = 64;
const maxCounterSets = 8;

/** ResourceSlices (pkg/registry/resource/resourceslice, pkg/apis/resource/validation). */
const resourceSliceStrategy: Strategy = {
  applyDefaults: applySliceDefaults,
  prepareForUpdate(slice, old) {
    // Fields that are dropped later count as a change too.
    if (!sameMembers('io.k8s.api.resource.v1.ResourceSlice', ['spec'], slice, old)) raiseGeneration(slice.metadata);
  },
  validate: (slice) => validateSpec(objectAt(slice, 'spec') ?? {}, undefined),
  validateUpdate: (slice, old) => validateSpec(objectAt(slice, 'spec') ?? {}, objectAt(old, 'spec') ?? {}),
  warningsOnCreate: driverWarnings,
  warningsOnUpdate: driverWarnings,
  selectableFields: (slice) => ({
    'spec.nodeName': stringAt(slice, 'spec', 'nodeName'),
    'spec.driver': stringAt(slice, 'spec', 'driver'),
  }),
};

function driverWarnings(slice: KubeObject): string[] {
  const driver = stringAt(slice, 'spec', 'driver');
  return driver === driver.toLowerCase()
    ? []
    : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}

function validateSpec(spec: JsonObject, before: JsonObject | undefined): FieldError[] {
  const hasBoth = spec['sharedCounters'] !== undefined && spec['devices'] !== undefined;
  return [
    ...validateDriverName(stringAt(spec, 'driver'), specField.child('driver')),
    ...validatePool(objectAt(spec, 'pool'), specField.child('pool')),
    ...(before === undefined ? [] : validateKept(spec, before)),
    ...validatePlacement(spec, specField, false),
    ...(hasBoth ? [invalid(specField, '', 'only one of `sharedCounters` or `devices` is allowed')] : []),
    ...validateDevices(spec, before, specField.child('devices')),
    ...validateCounterSets(objectsAt(spec, 'sharedCounters'), specField.child('sharedCounters')),
  ];
}

function validatePool(pool: JsonObject | undefined, field: Path): FieldError[] {
  const [name, count, generation] = [
    stringAt(pool, 'name'),
    int64At(pool, 'resourceSliceCount') ?? 0,
    int64At(pool, 'generation') ?? 0,
  ];
  const at = field.child('name');
  const long = Buffer.byteLength(name) > maxPoolNameBytes ? [tooLong(at, '', maxPoolNameBytes)] : [];
  return [
    ...(name === ''
      ? [required(at, '')]
      : [...long, ...name.split('/').flatMap((part) => messages(isDNS1123Subdomain(part), at, part))]),
    ...(count <= 0 ? [invalid(field.child('resourceSliceCount'), count, 'must be greater than zero')] : []),
    ...(generation < 0
      ? [invalid(field.child('generation'), generation, 'must be greater than or equal to zero')]
      : []),
  ];
}

function validateKept(spec: JsonObject, before: JsonObject): FieldError[] {
  return [
    ...validateImmutableField(
      stringAt(spec, 'pool', 'name'),
      stringAt(before, 'pool', 'name'),
      specField.child('pool', 'name'),
    ),
    ...validateImmutableField(stringAt(spec, 'driver'), stringAt(before, 'driver'), specField.child('driver')),
    ...validateImmutableField(spec['nodeName'], before['nodeName'], specField.child('nodeName')).map(withNamedString),
  ];
}

function validateDevices(spec: JsonObject, before: JsonObject | undefined, field: Path): FieldError[] {
  const devices = objectsAt(spec, 'devices');
  const hasTaintsOrCounters = devices.some(
    (device) => objectsAt(device, 'taints').length > 0 || objectsAt(device, 'consumesCounters').length > 0,
  );
  const max = hasTaintsOrCounters ? maxDevicesWithTaintsOrCounters : maxDevices;
  if (devices.length > max) return [tooMany(field, devices.length, max)];
  const old = new Map(objectsAt(before, 'devices').map((device) => [stringAt(device, 'name'), device]));
  return [
    ...devices.flatMap((device, index) => {
      const known = old.get(stringAt(device, 'name'));
      const taintsChanged =
        known === undefined || !sameMembers('io.k8s.api.resource.v1.Device', ['taints'], known, device);
      return validateDevice(device, spec['perDeviceNodeSelection'] === true, taintsChanged, field.index(index));
    }),
    ...uniqueNames(devices, field),
  ];
}

function validateCounterSets(sets: readonly JsonObject[], field: Path): FieldError[] {
  if (sets.length > maxCounterSets) return [tooMany(field, sets.length, maxCounterSets)];
  return [
    ...sets.flatMap((set, index) => validateCounters(set, 'name', field.index(index))),
    ...uniqueNames(sets, field),
  ];
}

function uniqueNames(items: readonly JsonObject[], field: Path): FieldError[] {
  const names = items.map((item) => stringAt(item, 'name'));
  const repeated = repetitions(names);
  return names.flatMap((name, index) => (repeated[index] === true ? [duplicate(field.index(index), name)] : []));
}

export const resourceSliceResource = defineBuiltIn({
  group: 'resource.k8s.io',
  resource: 'resourceslices',
  rows: resourceSliceRows,
  strategy: resourceSliceStrategy,
  writes: {
    generation: 'first',
  },
  gatedFields: gatedSliceFields,
  countsAsSent: true,
  conversions: { v1beta1: sliceConversion },
});
