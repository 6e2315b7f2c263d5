import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { forbidden, invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateLeaseStrategy } from './lease-strategy.ts';
import { leaseRows } from './rows.ts';

/** Leases (pkg/registry/coordination/lease). */
const leaseStrategy: Strategy = {
  validate: validateLease,
  validateUpdate: validateLease,
};

function validateLease(lease: KubeObject): FieldError[] {
  const [seconds, transitions] = [
    numberAt(lease, 'spec', 'leaseDurationSeconds'),
    numberAt(lease, 'spec', 'leaseTransitions'),
  ];
  return [
    ...(seconds !== undefined && seconds <= 0
      ? [invalid(path('spec', 'leaseDurationSeconds'), seconds, 'must be greater than 0')]
      : []),
    ...(transitions !== undefined && transitions < 0
      ? [invalid(path('spec', 'leaseTransitions'), transitions, 'must be greater than or equal to 0')]
      : []),
    ...validateStrategy(objectAt(lease, 'spec') ?? {}),
  ];
}

/** Validates the strategy that picks the leader (KEP-4355). */
function validateStrategy(spec: JsonObject): FieldError[] {
  const strategy = spec['strategy'];
  const lonely = stringAt(spec, 'preferredHolder') !== '' && stringAt(spec, 'strategy') === '';
  return [
    ...(typeof strategy === 'string' ? validateLeaseStrategy(strategy, path('spec', 'strategy')) : []),
    ...(lonely ? [forbidden(path('spec', 'preferredHolder'), 'may only be specified if `strategy` is defined')] : []),
  ];
}

export const leaseResource = defineBuiltIn({
  group: 'coordination.k8s.io',
  resource: 'leases',
  rows: leaseRows,
  strategy: leaseStrategy,
  writes: {
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    anyFinalizers: true,
  },
  gatedFields: [
    { gates: ['CoordinatedLeaderElection'], fields: ['spec.strategy'] },
    { gates: ['CoordinatedLeaderElection'], fields: ['spec.preferredHolder'] },
  ],
});
