import { bootstrapRbac } from '#shared/api/bootstrap-objects.ts';
import type { FeatureGates } from '#shared/api/feature-gates.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { policyRulesOf, type PolicyRule } from '#shared/authorization/rbac/policy-rule.ts';

/** What a node may do beyond its own pods' objects: the rules of the bootstrap role system:node. */
export function nodeRules(gates: FeatureGates): PolicyRule[] {
  const role = bootstrapRbac(gates)
    .clusterRoles.map((object) => asKubeObject(object))
    .find(({ metadata }) => metadata.name === 'system:node');
  return role === undefined ? [] : policyRulesOf(role);
}
