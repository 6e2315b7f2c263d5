import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { booleanAt, objectAt, stringAt, stringsAt } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';
import { ensureObject } from '../../../shared/apimachinery/set-default.ts';

/** Nodes (pkg/registry/core/node): a new node may bring its status. */
export const nodeStrategy: Strategy = {
  validate: (_context, node) => validateNode(node),
  validateUpdate: (_context, node, old) => validateNodeUpdate(node, old),
  applyDefaults(node) {
    mirrorPodCidr(ensureObject(node, 'spec'));
    const status = objectAt(node, 'status');
    const capacity = objectAt(status, 'capacity');
    if (status && capacity && !objectAt(status, 'allocatable')) status['allocatable'] = { ...capacity };
  },
  keepsStatusOnCreate: true,
  selectableFields: (node) => ({ 'spec.unschedulable': String(booleanAt(node, 'spec', 'unschedulable') === true) }),
};

/** `podCIDR` is the first of `podCIDRs`; a client that knows one of the two writes both, and counts where they differ (pkg/apis/core/v1/conversion.go). */
function mirrorPodCidr(spec: JsonObject): void {
  const cidrs = stringsAt(spec, 'podCIDRs');
  const cidr = stringAt(spec, 'podCIDR');
  if (cidr !== '' && cidr !== cidrs[0]) spec['podCIDRs'] = [cidr];
  else if (cidrs[0] !== undefined) spec['podCIDR'] = cidrs[0];
}
