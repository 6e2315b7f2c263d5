import { semanticEqual } from '../../../shared/apimachinery/deep-equal.ts';
import { objectsAt } from '../../../shared/apimachinery/object.ts';
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
  prepareForUpdate(_context, slice, old) {
    const keys = ['addressType', 'endpoints', 'ports'];
    if (keys.some((key) => !semanticEqual(slice[key], old[key])) || semanticEqual(slice.metadata.labels, old.metadata.labels)) return;
    slice.metadata.generation = (old.metadata.generation ?? 0) + 1;
  },
};
