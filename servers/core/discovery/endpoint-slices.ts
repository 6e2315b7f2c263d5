import { semanticEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { objectsAt, stringAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import { setDefault } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateEndpointSlice } from './endpoint-slice-validation.ts';

/** EndpointSlices (pkg/apis/discovery/v1/defaults.go). */
export const endpointSliceStrategy: Strategy = {
  validate: (_context, slice) => validateEndpointSlice(slice),
  validateUpdate: (_context, slice, old) => validateEndpointSlice(slice, old),
  applyDefaults(slice) {
    for (const port of objectsAt(slice, 'ports')) {
      setDefault(port, 'name', '');
      setDefault(port, 'protocol', 'TCP');
    }
  },
  warningsOnCreate: (slice) => (stringAt(slice, 'addressType') === 'FQDN' ? ['spec.addressType: FQDN endpoints are deprecated'] : []),
  prepareForCreate: (_context, slice) => dropTopology(slice),
  prepareForUpdate(_context, slice, old) {
    if (!semanticEqual(slice['endpoints'], old['endpoints'])) dropTopology(slice);
    const keys = ['addressType', 'endpoints', 'ports'];
    if (keys.some((key) => !semanticEqual(slice[key], old[key])) || semanticEqual(slice.metadata.labels, old.metadata.labels)) return;
    slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
};

/** Only objects of older versions have it. */
function dropTopology(slice: KubeObject): void {
  for (const endpoint of objectsAt(slice, 'endpoints')) delete endpoint['deprecatedTopology'];
}
