import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { roundAmounts } from '#servers/core/defaults/round-amounts.ts';
import { goForm } from '#servers/core/validation/go-form.ts';
import { resourceAmounts, validateAmount } from '#servers/core/validation/quantities.ts';
import { isStandardQuotaResource, validateQuotaResourceName } from '#servers/core/validation/resource-names.ts';
import { invalid, path, required, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { canonicalQuantity, compareQuantities, parseQuantity } from '#shared/apimachinery/values/quantity.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { resourceQuotaRows } from './quota-rows.ts';

const specField = path('spec');
const podScopes = ['Terminating', 'NotTerminating', 'NotBestEffort', 'PriorityClass', 'CrossNamespacePodAffinity'];
const scopes = [...podScopes, 'BestEffort', 'VolumeAttributesClass'];
const compute = ['cpu', 'memory', 'limits.cpu', 'limits.memory', 'requests.cpu', 'requests.memory'];
const opposites = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

/** ResourceQuotas (pkg/registry/core/resourcequota). */
const resourceQuotaStrategy: Strategy = {
  applyDefaults(quota) {
    for (const amounts of [
      objectAt(quota, 'spec', 'hard'),
      objectAt(quota, 'status', 'hard'),
      objectAt(quota, 'status', 'used'),
    ])
      roundAmounts(amounts);
  },
  validate: validateQuota,
  validateUpdate: (quota, old) => [...validateQuota(quota), ...validateScopesKept(quota, old)],
  warningsOnCreate: quotaWarnings,
  validateStatusUpdate: (quota) =>
    ['hard', 'used'].flatMap((name) => validateAmounts(objectAt(quota, 'status', name), path('status', name))),
};

/** Warns if a quota allows more requests than limits of a resource. */
function quotaWarnings(quota: KubeObject): string[] {
  const hard = objectAt(quota, 'spec', 'hard');
  return ['cpu', 'memory', 'storage', 'ephemeral-storage'].flatMap((resource) => {
    const isCompute = resource === 'cpu' || resource === 'memory';
    const name = isCompute && hard?.[`requests.${resource}`] === undefined ? resource : `requests.${resource}`;
    const [request, limit] = [stringAt(hard, name), stringAt(hard, `limits.${resource}`)];
    if (request === '' || limit === '' || compareQuantities(parseQuantity(request), parseQuantity(limit)) <= 0)
      return [];
    return [
      `ResourceQuota ${name} (${canonicalQuantity(request)}) should be less than limits.${resource} (${canonicalQuantity(limit)})`,
    ];
  });
}

function validateQuota(quota: KubeObject): FieldError[] {
  const spec = objectAt(quota, 'spec') ?? {};
  return [
    ...validateAmounts(objectAt(spec, 'hard'), specField.child('hard')),
    ...validateScopes(spec),
    ...validateSelector(spec),
  ];
}

function validateAmounts(amounts: JsonObject | undefined, field: Path): FieldError[] {
  return resourceAmounts(amounts).flatMap(([name, amount]) => [
    ...validateQuotaResourceName(name, field.key(name)),
    ...validateAmount(name, amount, field.key(name)),
  ]);
}

function suits(scope: string, resource: string): boolean {
  if (podScopes.includes(scope)) return resource === 'pods' || compute.includes(resource);
  if (scope === 'BestEffort') return resource === 'pods';
  return scope !== 'VolumeAttributesClass' || resource === 'persistentvolumeclaims' || resource === 'requests.storage';
}

/** Counts, for each scope, the resources to which it does not apply. Unknown scopes apply to all. */
function unsuited(spec: JsonObject): ReadonlyMap<string, number> {
  const names = Object.keys(objectAt(spec, 'hard') ?? {}).filter(isStandardQuotaResource);
  return new Map(scopes.map((scope) => [scope, names.filter((name) => !suits(scope, name)).length]));
}

function conflicts(given: readonly string[]): number {
  return opposites.filter((pair) => pair.every((scope) => given.includes(scope))).length;
}

function validateScopes(spec: JsonObject): FieldError[] {
  const given = [...stringsAt(spec, 'scopes')];
  const misfits = unsuited(spec);
  const because = (detail: string, times: number) =>
    Array.from({ length: times }, () => invalid(specField.child('scopes'), given, detail));
  return [
    ...given.flatMap((scope) => [
      ...because('unsupported scope', scopes.includes(scope) ? 0 : 1),
      ...because('unsupported scope applied to resource', misfits.get(scope) ?? 0),
    ]),
    ...because('conflicting scopes', conflicts(given)),
  ];
}

function validateSelector(spec: JsonObject): FieldError[] {
  const selector = objectAt(spec, 'scopeSelector');
  const field = specField.child('scopeSelector', 'matchExpressions');
  const items = objectsAt(selector, 'matchExpressions');
  const misfits = unsuited(spec);
  const isUnsuited = items.some((item) => (misfits.get(stringAt(item, 'scopeName')) ?? 0) > 0);
  const shown = isUnsuited ? goForm('io.k8s.api.core.v1.ScopeSelector', selector ?? {}) : null;
  const errors = items.flatMap((item) => {
    const scope = stringAt(item, 'scopeName');
    const known = scopes.includes(scope) ? [] : [invalid(field.child('scopeName'), scope, 'unsupported scope')];
    const bad = Array.from({ length: misfits.get(scope) ?? 0 }, () =>
      invalid(field, shown, 'unsupported scope applied to resource'),
    );
    return [...known, ...bad, ...validateOperator(item, scope, field)];
  });
  const conflicting = Array.from({ length: conflicts(items.map((item) => stringAt(item, 'scopeName'))) }, () =>
    invalid(specField.child('scopeSelector', 'scopes'), null, 'conflicting scopes'),
  );
  return [...errors, ...conflicting];
}

function validateOperator(item: JsonObject, scope: string, field: Path): FieldError[] {
  const [operator, values] = [stringAt(item, 'operator'), [...stringsAt(item, 'values')]];
  const errors: FieldError[] = [];
  if (
    scopes.includes(scope) &&
    scope !== 'PriorityClass' &&
    scope !== 'VolumeAttributesClass' &&
    operator !== 'Exists'
  ) {
    const detail =
      "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
    errors.push(invalid(field.child('operator'), operator, detail));
  }
  if (operator === 'In' || operator === 'NotIn') {
    return values.length > 0
      ? errors
      : [
          ...errors,
          required(
            field.child('values'),
            "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
          ),
        ];
  }
  if (operator === 'Exists' || operator === 'DoesNotExist') {
    return values.length === 0
      ? errors
      : [
          ...errors,
          invalid(
            field.child('values'),
            values,
            "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
          ),
        ];
  }
  return [...errors, invalid(field.child('operator'), operator, 'not a valid selector operator')];
}

function validateScopesKept(quota: KubeObject, old: KubeObject): FieldError[] {
  const [now, then] = [quota, old].map((one) => new Set(stringsAt(one, 'spec', 'scopes'))) as [
    Set<string>,
    Set<string>,
  ];
  return now.symmetricDifference(then).size === 0
    ? []
    : [invalid(specField.child('scopes'), [...stringsAt(quota, 'spec', 'scopes')], 'field is immutable')];
}

export const resourceQuotaResource = defineBuiltIn({
  group: '',
  resource: 'resourcequotas',
  rows: resourceQuotaRows,
  strategy: resourceQuotaStrategy,
});
