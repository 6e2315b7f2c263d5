import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { addressWarnings, listWarnings } from '#servers/core/warnings/addresses.ts';
import { firstWarnings } from '#servers/core/warnings/first-warnings.ts';
import { sameMembers } from '#shared/api/same-by-type.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { semanticEqual } from '#shared/apimachinery/schema/deep-equal.ts';
import { setDefault } from '#shared/apimachinery/set-default.ts';
import { raiseGeneration } from '#shared/registry/object-metadata.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateEndpointSlice } from './endpoint-slice-validation.ts';
import { endpointSliceRows } from './rows.ts';

/** EndpointSlices (pkg/apis/discovery/v1/defaults.go). */
const endpointSliceStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (slice) => validateEndpointSlice(slice, gates),
  validateUpdate: (slice, old) => validateEndpointSlice(slice, gates, old),
  applyDefaults(slice) {
    for (const port of objectsAt(slice, 'ports')) {
      setDefault(port, 'name', '');
      setDefault(port, 'protocol', 'TCP');
    }
  },
  warningsOnCreate: (slice) => [
    ...(stringAt(slice, 'addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
    ...sliceWarnings(slice),
  ],
  warningsOnUpdate: sliceWarnings,
  prepareForCreate: dropTopology,
  prepareForUpdate(slice, old) {
    const same = (...names: string[]): boolean =>
      sameMembers('io.k8s.api.discovery.v1.EndpointSlice', names, slice, old);
    // Fields that are dropped below count as a change too.
    if (!same('addressType', 'endpoints', 'ports') || !semanticEqual(slice.metadata.labels, old.metadata.labels))
      raiseGeneration(slice.metadata);
    if (!same('endpoints')) dropTopology(slice);
  },
});

/** Drops `deprecatedTopology`, which only objects of older API versions have. */
function dropTopology(slice: KubeObject): void {
  for (const endpoint of objectsAt(slice, 'endpoints')) delete endpoint['deprecatedTopology'];
}

const controllers = ['endpointslice-controller.k8s.io', 'endpointslicemirroring-controller.k8s.io'];

/** Warns about addresses in a wrong form; slices of the built-in controllers are not checked. */
function sliceWarnings(slice: KubeObject): string[] {
  if (controllers.includes(slice.metadata.labels?.['endpointslice.kubernetes.io/managed-by'] ?? '')) return [];
  return firstWarnings(objectsAt(slice, 'endpoints'), (endpoint, index) =>
    listWarnings(endpoint, 'addresses', addressWarnings, path('endpoints').index(index)),
  );
}

export const endpointSliceResource = defineBuiltIn({
  group: 'discovery.k8s.io',
  resource: 'endpointslices',
  rows: endpointSliceRows,
  strategy: endpointSliceStrategy,
  writes: {
    metadataOnUpdate: 'whole',
    generation: 'first',
  },
  gatedFields: [{ gates: ['PreferSameTrafficDistribution'], fields: ['endpoints[].hints.forNodes'] }],
  countsAsSent: true,
});
