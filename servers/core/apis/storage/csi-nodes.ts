import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import {
  duplicate,
  invalid,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { messages, nonNegativeFields } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';
import { repetitions } from '#shared/apimachinery/validation/repetitions.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { csiNodeRows } from './rows.ts';

const maxNodeIdBytes = 256;
const driversField = path('spec', 'drivers');

/** CSINodes (pkg/apis/storage/validation). */
export const csiNodeStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: validateDrivers,
  validateUpdate: (node, old) => [...validateDrivers(node), ...validateKept(node, old, gates)],
});

function driversOf(node: KubeObject): readonly JsonObject[] {
  return objectsAt(node, 'spec', 'drivers');
}

function validateDrivers(node: KubeObject): FieldError[] {
  const names = new Set<string>();
  return driversOf(node).flatMap((driver, index) => {
    const field = driversField.index(index);
    const [name, id] = [stringAt(driver, 'name'), stringAt(driver, 'nodeID')];
    const isAgain = names.has(name);
    names.add(name);
    return [
      ...validateDriverName(name, field.child('name')),
      ...(id === '' ? [required(field.child('nodeID'), '')] : []),
      ...(Buffer.byteLength(id) > maxNodeIdBytes
        ? [invalid(field.child('nodeID'), id, `must be ${maxNodeIdBytes} characters or less`)]
        : []),
      ...nonNegativeFields(objectAt(driver, 'allocatable'), ['count'], field.child('allocatable')),
      ...(isAgain ? [duplicate(field.child('name'), name)] : []),
      ...validateTopologyKeys(stringsAt(driver, 'topologyKeys'), field),
    ];
  });
}

function validateTopologyKeys(keys: readonly string[], field: Path): FieldError[] {
  const repeated = repetitions(keys);
  return keys.flatMap((key, index) => [
    ...(key === '' ? [required(field, '')] : []),
    ...(repeated[index] === true ? [duplicate(field, key)] : []),
    ...messages(isQualifiedName(key), field, key),
  ]);
}

/** Validates drivers that are in the old object too: only their allocatable count may change. */
function validateKept(node: KubeObject, old: KubeObject, gates: Gates): FieldError[] {
  const byName = Map.groupBy(driversOf(node), (driver) => stringAt(driver, 'name'));
  return driversOf(old).flatMap((before) =>
    (byName.get(stringAt(before, 'name')) ?? []).flatMap((driver) => {
      const fixed = ({ allocatable, ...rest }: JsonObject): JsonObject =>
        gates.MutableCSINodeAllocatableCount || allocatable === undefined ? rest : { ...rest, allocatable };
      return validateUnchanged('io.k8s.api.storage.v1.CSINodeDriver', fixed(driver), fixed(before), driversField);
    }),
  );
}

export const csiNodeResource = defineBuiltIn({
  group: 'storage.k8s.io',
  resource: 'csinodes',
  rows: csiNodeRows,
  strategy: csiNodeStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'whole',
  },
});
