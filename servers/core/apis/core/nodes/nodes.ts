import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { roundAmounts } from '#servers/core/defaults/round-amounts.ts';
import { nodeProxy } from '#servers/core/proxy/connect-proxy.ts';
import { cidrWarnings, listWarnings } from '#servers/core/warnings/addresses.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, stringAt, stringsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { nodeRows } from './node-rows.ts';
import { validateNode, validateNodeUpdate } from './node-validation.ts';

/** Nodes (pkg/registry/core/node). Creation keeps the status from the request. */
export const nodeStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (node) => validateNode(node, gates),
  validateUpdate: (node, old) => [...validateNode(node, gates), ...validateNodeUpdate(node, old)],
  applyDefaults(node) {
    mirrorPodCidr(ensureObject(node, 'spec'));
    const status = objectAt(node, 'status');
    const capacity = objectAt(status, 'capacity');
    // An empty `allocatable` counts as absent.
    for (const list of ['capacity', 'allocatable']) roundAmounts(objectAt(status, list));
    if (status && capacity && Object.keys(objectAt(status, 'allocatable') ?? {}).length === 0)
      status['allocatable'] = { ...capacity };
  },
  keepsStatusOnCreate: true,
  validateStatusUpdate: validateNodeUpdate,
  warningsOnCreate: nodeWarnings,
  warningsOnUpdate: nodeWarnings,
  // Upstream removed node configuration by ConfigMap (KEP-281).
  prepareForCreate(node) {
    delete objectAt(node, 'spec')?.['configSource'];
    delete objectAt(node, 'status')?.['config'];
  },
  prepareForUpdate(node, old) {
    if (objectAt(old, 'spec', 'configSource') === undefined) delete objectAt(node, 'spec')?.['configSource'];
  },
  prepareForStatusUpdate(node, old) {
    if (objectAt(old, 'status', 'config') === undefined) delete objectAt(node, 'status')?.['config'];
  },
  selectableFields: (node) => ({ 'spec.unschedulable': String(booleanAt(node, 'spec', 'unschedulable') === true) }),
});

function nodeWarnings(node: KubeObject): string[] {
  return [
    ...(objectAt(node, 'spec', 'configSource') ? ['spec.configSource: the feature is removed'] : []),
    ...(stringAt(node, 'spec', 'externalID') === ''
      ? []
      : ['spec.externalID: this field is deprecated, and is unused by Kubernetes']),
    ...listWarnings(objectAt(node, 'spec'), 'podCIDRs', cidrWarnings, path('spec')),
  ];
}

/**
 * Keeps `podCIDR` equal to the first of `podCIDRs`. If they differ, `podCIDR` wins: the client may know only this field
 * (pkg/apis/core/v1/conversion.go).
 */
function mirrorPodCidr(spec: JsonObject): void {
  const cidrs = stringsAt(spec, 'podCIDRs');
  const cidr = stringAt(spec, 'podCIDR');
  if (cidr !== '' && cidr !== cidrs[0]) spec['podCIDRs'] = [cidr];
  else if (cidrs[0] !== undefined) spec['podCIDR'] = cidrs[0];
}

export const nodeResource = defineBuiltIn({
  group: '',
  resource: 'nodes',
  rows: nodeRows,
  strategy: nodeStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
  gatedFields: [
    { gates: ['SupplementalGroupsPolicy'], fields: ['status.features'], keptInStatus: true },
    { gates: ['NodeDeclaredFeatures'], fields: ['status.declaredFeatures'], keptInStatus: true },
  ],
  subresources: ({ kubelets, proxyAgents: agents }) => ({ proxy: nodeProxy({ kubelets, agents }) }),
});
