import { invalid, path, type FieldError } from '../../../shared/apimachinery/field-error.ts';
import { numberAt, objectAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** Fields of coordinated leader election, a feature that is off by default. */
const gated = ['strategy', 'preferredHolder'];

/** Leases (pkg/registry/coordination/lease). */
export const leaseStrategy: Strategy = {
  prepareForCreate: (_context, lease) => dropGated(lease, undefined),
  prepareForUpdate: (_context, lease, old) => dropGated(lease, old),
  validate: (_context, lease) => validateLease(lease),
  validateUpdate: (_context, lease) => validateLease(lease),
};

function dropGated(lease: KubeObject, old: KubeObject | undefined): void {
  const spec = objectAt(lease, 'spec');
  for (const key of gated) if (spec && objectAt(old, 'spec')?.[key] === undefined) delete spec[key];
}

function validateLease(lease: KubeObject): FieldError[] {
  const [seconds, transitions] = [numberAt(lease, 'spec', 'leaseDurationSeconds'), numberAt(lease, 'spec', 'leaseTransitions')];
  return [
    ...(seconds !== undefined && seconds <= 0 ? [invalid(path('spec', 'leaseDurationSeconds'), seconds, 'must be greater than 0')] : []),
    ...(transitions !== undefined && transitions < 0 ? [invalid(path('spec', 'leaseTransitions'), transitions, 'must be greater than or equal to 0')] : []),
  ];
}
