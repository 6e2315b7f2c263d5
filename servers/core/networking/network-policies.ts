import { objectsAt, stringsAt } from '../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';

/** NetworkPolicies (pkg/apis/networking/v1/defaults.go). */
export const networkPolicyStrategy: Strategy = {
  validate: (_context, policy) => validateNetworkPolicy(policy),
  validateUpdate: (_context, policy) => validateNetworkPolicy(policy),
  applyDefaults(policy) {
    const spec = ensureObject(policy, 'spec');
    if (stringsAt(spec, 'policyTypes').length === 0) {
      spec['policyTypes'] = objectsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
    }
    for (const rule of [...objectsAt(spec, 'ingress'), ...objectsAt(spec, 'egress')]) {
      for (const port of objectsAt(rule, 'ports')) setDefault(port, 'protocol', 'TCP');
    }
  },
};
