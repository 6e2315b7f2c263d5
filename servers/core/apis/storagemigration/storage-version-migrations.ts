import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import { validateConditions } from '#servers/core/validation/conditions.ts';
import { invalid, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject, objectsAt, stringAt, valueAt } from '#shared/apimachinery/object.ts';
import { isDNS1035Label, isDNS1123Subdomain } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { storageVersionMigrationRows } from './rows.ts';

const resourceField = path('spec', 'resource');
const status = path('status');
const conditionsField = status.child('conditions');
const immutable = 'field is immutable';

/**
 * StorageVersionMigrations (pkg/registry/storagemigration, pkg/apis/storagemigration/validation): the resource and the
 * final result are immutable.
 */
export const storageVersionMigrationStrategy: Strategy = {
  validate: validateResource,
  validateUpdate(migration, old) {
    const isSame = (['group', 'resource'] as const).every(
      (name) => stringAt(migration, 'spec', 'resource', name) === stringAt(old, 'spec', 'resource', name),
    );
    return [
      ...validateResource(migration),
      ...(isSame ? [] : [invalid(path('spec'), internalSpec(migration), immutable)]),
    ];
  },
  validateStatusUpdate(migration, old) {
    const [version, before] = [
      stringAt(migration, 'status', 'resourceVersion'),
      stringAt(old, 'status', 'resourceVersion'),
    ];
    const field = status.child('resourceVersion');
    return [
      ...(version === '' || /^[1-9]\d*$/.test(version)
        ? []
        : [invalid(field, version, `resource version is not well formed: ${version}`)]),
      ...validateConditions(objectsAt(migration, 'status', 'conditions'), conditionsField),
      ...(before === '' || before === version ? [] : [invalid(field, version, immutable)]),
      ...validateEnd(migration, old),
    ];
  },
};

function validateResource(migration: KubeObject): FieldError[] {
  const [group, resource] = [
    stringAt(migration, 'spec', 'resource', 'group'),
    stringAt(migration, 'spec', 'resource', 'resource'),
  ];
  return [
    ...(resource === ''
      ? [required(resourceField.child('resource'), 'resource is required to be set')]
      : together(isDNS1035Label(resource), resourceField.child('resource'), resource)),
    ...(group === '' ? [] : together(isDNS1123Subdomain(group), resourceField.child('group'), group)),
  ];
}

/** Joins all messages into one error. */
function together(texts: readonly string[], field: typeof resourceField, value: string): FieldError[] {
  return texts.length === 0 ? [] : [invalid(field, value, texts.join(','))];
}

function internalSpec(migration: KubeObject): JsonObject {
  return {
    Resource: {
      group: stringAt(migration, 'spec', 'resource', 'group'),
      resource: stringAt(migration, 'spec', 'resource', 'resource'),
    },
  };
}

function validateEnd(migration: KubeObject, old: KubeObject): FieldError[] {
  const [succeeded, failed] = [isTrue(migration, 'Succeeded'), isTrue(migration, 'Failed')];
  const details = [
    ...(succeeded && failed ? ['Both success and failed conditions cannot be true at the same time'] : []),
    ...(isTrue(old, 'Succeeded') && !succeeded ? ['Success condition cannot be set to false once it is true'] : []),
    ...(isTrue(old, 'Failed') && !failed ? ['Failed condition cannot be set to false once it is true'] : []),
  ];
  return details.map((detail) => invalid(conditionsField, printedConditions(migration), detail));
}

function isTrue(migration: KubeObject, type: string): boolean {
  return (
    stringAt(
      objectsAt(migration, 'status', 'conditions').find((condition) => stringAt(condition, 'type') === type),
      'status',
    ) === 'True'
  );
}

/** The conditions as Go prints them. */
function printedConditions(migration: KubeObject): JsonValue {
  if (!Array.isArray(valueAt(migration, 'status', 'conditions'))) return null;
  return objectsAt(migration, 'status', 'conditions').map((condition) => {
    const generation = int64At(condition, 'observedGeneration') ?? 0;
    const [type, value, time, reason, message] = ['type', 'status', 'lastTransitionTime', 'reason', 'message'].map(
      (name) => stringAt(condition, name),
    ) as [string, string, string, string, string];
    return {
      type,
      status: value,
      ...(generation !== 0 && { observedGeneration: generation }),
      lastTransitionTime: time === '' ? null : time,
      reason,
      message,
    };
  });
}

export const storageVersionMigrationResource = defineBuiltIn({
  group: 'storagemigration.k8s.io',
  resource: 'storageversionmigrations',
  rows: storageVersionMigrationRows,
  strategy: storageVersionMigrationStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    metadataOnUpdate: 'both',
    resetFields: statusLeavesMetadata,
  },
});
