import { path, type Path } from '../../../../shared/apimachinery/field-error.ts';
import type { JsonObject } from '../../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '../../../../shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '../../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../../shared/registry/strategy.ts';
import { cidrWarnings, listWarnings } from '../../warnings/addresses.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';
import { defineBuiltIn } from '../contract/built-in-resource.ts';

/** NetworkPolicies (pkg/apis/networking/v1/defaults.go). */
const networkPolicyStrategy: Strategy = {
  validate: (_context, policy) => validateNetworkPolicy(policy),
  validateUpdate: (_context, policy) => validateNetworkPolicy(policy),
  warningsOnCreate: policyWarnings,
  warningsOnUpdate: policyWarnings,
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

function policyWarnings(policy: KubeObject): string[] {
  const ofPeers = (direction: string, peers: string): string[] =>
    objectsAt(policy, 'spec', direction).flatMap((rule, index) =>
      objectsAt(rule, peers).flatMap((peer, position) =>
        blockWarnings(
          objectAt(peer, 'ipBlock'),
          path('spec', direction).index(index).child(peers).index(position).child('ipBlock'),
        ),
      ),
    );
  return [...ofPeers('ingress', 'from'), ...ofPeers('egress', 'to')];
}

function blockWarnings(block: JsonObject | undefined, field: Path): string[] {
  return block === undefined
    ? []
    : [
        ...cidrWarnings(stringAt(block, 'cidr'), field.child('cidr')),
        ...listWarnings(block, 'except', cidrWarnings, field),
      ];
}

export const networkPolicyResource = defineBuiltIn({
  group: 'networking.k8s.io',
  resource: 'networkpolicies',
  strategy: networkPolicyStrategy,
  writes: {
    generation: 'exact',
  },
});
