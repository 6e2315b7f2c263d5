import { bootstrapRbac } from '../../api/bootstrap-objects.ts';
import type { FeatureGates } from '../../api/feature-gates.ts';
import { withGatedRoles } from '../../api/gated-roles.ts';
import { asKubeObject } from '../../apimachinery/object.ts';
import { rulesOf, type PolicyRule } from '../rbac/policy-rule.ts';

/** What nodes may do beyond their own objects, by the bootstrap role system:node. */
export function nodeRules(gates: FeatureGates): PolicyRule[] {
  const role = withGatedRoles(bootstrapRbac(), gates).clusterRoles.map((object) => asKubeObject(object)).find(({ metadata }) => metadata.name === 'system:node');
  return role === undefined ? [] : rulesOf(role);
}
