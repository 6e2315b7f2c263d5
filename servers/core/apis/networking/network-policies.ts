import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { cidrWarnings } from '#servers/core/warnings/addresses.ts';
import { path, type Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject, setDefault } from '#shared/apimachinery/set-default.ts';
import { atOnce, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateNetworkPolicy } from './network-policy-validation.ts';
import { networkPolicyRows } from './rows.ts';

/** NetworkPolicies (pkg/apis/networking/v1/defaults.go). */
export const networkPolicyStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (policy) => atOnce(validateNetworkPolicy(policy, gates)),
  validateUpdate: (policy) => atOnce(validateNetworkPolicy(policy, gates)),
  validateInSteps: (policy) => validateNetworkPolicy(policy, gates),
  warningsInSteps: policyWarnings,
  applyDefaults(policy) {
    const spec = ensureObject(policy, 'spec');
    if (stringsAt(spec, 'policyTypes').length === 0) {
      spec['policyTypes'] = objectsAt(spec, 'egress').length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
    }
    for (const rule of [...objectsAt(spec, 'ingress'), ...objectsAt(spec, 'egress')]) {
      for (const port of objectsAt(rule, 'ports')) setDefault(port, 'protocol', 'TCP');
    }
  },
});

function* policyWarnings(policy: KubeObject): Steps<string[]> {
  const warnings: string[] = [];
  for (const [direction, peers] of [
    ['ingress', 'from'],
    ['egress', 'to'],
  ] as const) {
    for (const [index, rule] of objectsAt(policy, 'spec', direction).entries()) {
      const at = path('spec', direction).index(index).child(peers);
      for (const [position, peer] of objectsAt(rule, peers).entries())
        yield* warnOfBlock(objectAt(peer, 'ipBlock'), at.index(position).child('ipBlock'), warnings);
    }
  }
  return warnings;
}

function* warnOfBlock(block: JsonObject | undefined, field: Path, warnings: string[]): Steps<void> {
  if (sliceIsOver()) yield;
  if (block === undefined) return;
  warnings.push(...cidrWarnings(stringAt(block, 'cidr'), field.child('cidr')));
  for (const [index, text] of stringsAt(block, 'except').entries()) {
    warnings.push(...cidrWarnings(text, field.child('except').index(index)));
    if (sliceIsOver()) yield;
  }
}

export const networkPolicyResource = defineBuiltIn({
  group: 'networking.k8s.io',
  resource: 'networkpolicies',
  rows: networkPolicyRows,
  strategy: networkPolicyStrategy,
  writes: {
    generation: 'exact',
  },
});
