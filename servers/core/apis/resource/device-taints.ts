import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { statusLeavesMetadata } from '#servers/core/apis/contract/reset-fields.ts';
import { validateConditions } from '#servers/core/validation/conditions.ts';
import { validateDriverName } from '#servers/core/validation/driver-name.ts';
import { objectNowMs } from '#shared/apimachinery/chance/object-clock.ts';
import { path, tooMany, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import { timeFromMs } from '#shared/apimachinery/values/time.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateDeviceName, validatePoolName } from './device-ids.ts';
import { validateTaint } from './device-validation.ts';
import { deviceTaintRuleRows } from './rows.ts';

const maxConditions = 8;

/** Defaults of a ResourceSlice (pkg/apis/resource/v1/defaults.go). */
export function applySliceDefaults(slice: KubeObject): void {
  for (const device of objectsAt(slice, 'spec', 'devices')) {
    for (const taint of objectsAt(device, 'taints')) stampTaint(taint);
    for (const mapping of Object.values(objectAt(device, 'nodeAllocatableResourceMappings') ?? {}))
      setDefault(mapping as JsonObject, 'allocationMultiplier', '1');
  }
}

/**
 * DeviceTaintRules (pkg/apis/resource/v1beta2/defaults.go, pkg/registry/resource/devicetaintrule,
 * pkg/apis/resource/validation).
 */
export const deviceTaintRuleStrategy: Strategy = {
  applyDefaults: (rule) => stampTaint(ensureObject(ensureObject(rule, 'spec'), 'taint')),
  /** `timeAdded` is when the effect was set: a changed effect gets the present time, unless the client sets another. */
  prepareForUpdate(rule, old) {
    const [taint, before] = [objectAt(rule, 'spec', 'taint'), objectAt(old, 'spec', 'taint')];
    if (taint && taint['effect'] !== before?.['effect'] && taint['timeAdded'] === before?.['timeAdded'])
      taint['timeAdded'] = timeFromMs(objectNowMs());
  },
  validate: (rule) => validateRule(rule, undefined),
  validateUpdate: (rule, old) => validateRule(rule, objectAt(old, 'spec', 'taint') ?? {}),
  validateStatusUpdate(rule) {
    const [conditions, at] = [objectsAt(rule, 'status', 'conditions'), path('status', 'conditions')];
    return [
      ...validateConditions(conditions, at),
      ...(conditions.length > maxConditions ? [tooMany(at, conditions.length, maxConditions)] : []),
    ];
  },
};

/** Validates a rule. `before` is its old taint. */
function validateRule(rule: KubeObject, before: JsonObject | undefined): FieldError[] {
  return [
    ...validateSelector(objectAt(rule, 'spec', 'deviceSelector'), path('spec', 'deviceSelector')),
    ...validateTaint(objectAt(rule, 'spec', 'taint') ?? {}, path('spec', 'taint'), before),
  ];
}

function validateSelector(selector: JsonObject | undefined, field: Path): FieldError[] {
  const rules = { driver: validateDriverName, pool: validatePoolName, device: validateDeviceName };
  return Object.entries(rules).flatMap(([name, validate]) => {
    const value = getKey(selector, name);
    return typeof value === 'string' ? validate(value, field.child(name)) : [];
  });
}

function stampTaint(taint: JsonObject): void {
  setDefault(taint, 'timeAdded', timeFromMs(objectNowMs()));
}

export const deviceTaintRuleResource = defineBuiltIn({
  group: 'resource.k8s.io',
  resource: 'devicetaintrules',
  rows: deviceTaintRuleRows,
  strategy: deviceTaintRuleStrategy,
  writes: {
    generation: 'spec',
    resetFields: statusLeavesMetadata,
  },
});
