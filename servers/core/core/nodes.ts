import { booleanAt, objectAt } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** Nodes (pkg/registry/core/node): a new node may bring its status. */
export const nodeStrategy: Strategy = {
  applyDefaults(node) {
    const status = objectAt(node, 'status');
    const capacity = objectAt(status, 'capacity');
    if (status && capacity && !objectAt(status, 'allocatable')) status['allocatable'] = { ...capacity };
  },
  keepsStatusOnCreate: true,
  selectableFields: (node) => ({ 'spec.unschedulable': String(booleanAt(node, 'spec', 'unschedulable') === true) }),
};
