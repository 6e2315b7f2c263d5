import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { FeatureGates } from './feature-gates.ts';
import { resolveGatedItems } from './gated-items.ts';
import { readGen } from './gen-folder.ts';
import type { BootstrapFiles } from './gen-format.ts';

/**
 * The bootstrap roles and bindings for these feature gates, without kind and apiVersion. Each call reads the file
 * again, so callers should keep the result.
 */
export function bootstrapRbac(gates: FeatureGates): BootstrapFiles['rbac'] {
  return resolveGatedItems(readGen<JsonValue>('bootstrap/rbac'), gates) as unknown as BootstrapFiles['rbac'];
}

/** Flow schemas and priority levels of API priority and fairness, without status. */
export function bootstrapFlowControl(): BootstrapFiles['flowcontrol'] {
  return readGen('bootstrap/flowcontrol');
}

/** `system-cluster-critical` and `system-node-critical`. */
export function systemPriorityClasses(): BootstrapFiles['priorityclasses']['priorityClasses'] {
  return readGen<BootstrapFiles['priorityclasses']>('bootstrap/priorityclasses').priorityClasses;
}
