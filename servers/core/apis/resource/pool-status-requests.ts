import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import { validateConditions } from '#servers/core/validation/conditions.ts';
import {
  validateDeclared,
  validateDeclaredUpdate,
  type DeclaredStruct,
} from '#servers/core/validation/declared-rules.ts';
import {
  atMostBytes,
  between,
  caselessLongName,
  longName,
  poolName,
} from '#servers/core/validation/declared-values.ts';
import { validateUnchanged } from '#servers/core/validation/unchanged.ts';
import { path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { resourcePoolStatusRequestRows } from './rows.ts';

const models = 'io.k8s.api.resource.v1alpha3.';
const defaultLimit = 100;
/** Maximum of pools in a request and in its status. */
const maxPools = 1000;
const maxConditions = 10;
const maxErrorBytes = 256;

const spec: DeclaredStruct = {
  model: `${models}ResourcePoolStatusRequestSpec`,
  fields: {
    driver: { isRequired: true, check: caselessLongName },
    poolName: { check: poolName },
    limit: { isRequired: true, check: between(1, maxPools) },
  },
};

const pool: DeclaredStruct = {
  model: `${models}PoolStatus`,
  fields: {
    driver: { isRequired: true, check: caselessLongName },
    poolName: { isRequired: true, check: poolName },
    generation: { isRequired: true, check: between(0) },
    resourceSliceCount: { check: between(1) },
    totalDevices: { check: between(0) },
    allocatedDevices: { check: between(0) },
    availableDevices: { check: between(0) },
    unavailableDevices: { check: between(0) },
    nodeName: { check: longName },
    validationError: { check: atMostBytes(maxErrorBytes) },
  },
};

const status: DeclaredStruct = {
  model: `${models}ResourcePoolStatusRequestStatus`,
  fields: {
    poolCount: { isRequired: true, check: between(0) },
    pools: { maxItems: maxPools, struct: pool },
    conditions: { maxItems: maxConditions, key: 'type' },
  },
};

const request: DeclaredStruct = {
  model: `${models}ResourcePoolStatusRequest`,
  fields: { spec: { isImmutable: true, struct: spec } },
};
const answer: DeclaredStruct = { model: `${models}ResourcePoolStatusRequest`, fields: { status: { struct: status } } };

/**
 * ResourcePoolStatusRequests: spec and status can be set once (pkg/registry/resource/resourcepoolstatusrequest,
 * pkg/apis/resource/validation/validation_resourcepoolstatusrequest.go, pkg/apis/resource/v1alpha3).
 */
export const poolStatusRequestStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  returnsDeletedObject: true,
  applyDefaults: (object) => setDefault(ensureObject(object, 'spec'), 'limit', defaultLimit),
  validate: (object) => validateDeclared(request, gates, object),
  validateUpdate: (object, old) => validateDeclaredUpdate(request, gates, object, old),
  validateStatusUpdate: (object, old) => [
    ...validateAnswer(object, old),
    ...validateDeclaredUpdate(answer, gates, object, old),
  ],
});

/** Validates a status; once it is set, it is immutable. */
function validateAnswer(object: KubeObject, old: KubeObject): FieldError[] {
  const [given, before] = [objectAt(object, 'status'), objectAt(old, 'status')];
  if (before !== undefined)
    return validateUnchanged(`${models}ResourcePoolStatusRequestStatus`, given, before, path('status'));
  return validateConditions(objectsAt(given, 'conditions'), path('status', 'conditions'));
}

export const poolStatusRequestResource = defineBuiltIn({
  group: 'resource.k8s.io',
  resource: 'resourcepoolstatusrequests',
  rows: resourcePoolStatusRequestRows,
  strategy: poolStatusRequestStrategy,
  writes: {
    allowUnconditionalUpdate: false,
    resetFields: statusLeavesMetadata,
  },
});
