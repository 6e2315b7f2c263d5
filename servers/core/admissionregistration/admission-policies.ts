import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** ValidatingAdmissionPolicies and MutatingAdmissionPolicies (pkg/apis/admissionregistration/v1/defaults.go). */
export const admissionPolicyStrategy: Strategy = {
  applyDefaults(policy) {
    const spec = ensureObject(policy, 'spec');
    setDefault(spec, 'failurePolicy', 'Fail');
    applyMatchDefaults(objectAt(spec, 'matchConstraints'));
  },
};

/** Bindings of both kinds. */
export const admissionPolicyBindingStrategy: Strategy = {
  applyDefaults: (binding) => applyMatchDefaults(objectAt(binding, 'spec', 'matchResources')),
};

function applyMatchDefaults(match: JsonObject | undefined): void {
  if (!match) return;
  setDefault(match, 'matchPolicy', 'Equivalent');
  ensureObject(match, 'namespaceSelector');
  ensureObject(match, 'objectSelector');
  for (const rule of [...objectsAt(match, 'resourceRules'), ...objectsAt(match, 'excludeResourceRules')]) setDefault(rule, 'scope', '*');
}
