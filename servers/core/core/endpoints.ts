import { objectsAt } from '../../../shared/apimachinery/object.ts';
import { setDefaultText } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';
import { validateEndpoints } from './endpoint-validation.ts';

/** Endpoints (pkg/registry/core/endpoint). */
export const endpointsStrategy: Strategy = {
  validate: (_context, endpoints) => validateEndpoints(endpoints),
  validateUpdate: (_context, endpoints, old) => validateEndpoints(endpoints, old),
  applyDefaults(endpoints) {
    for (const subset of objectsAt(endpoints, 'subsets')) {
      for (const port of objectsAt(subset, 'ports')) setDefaultText(port, 'protocol', 'TCP');
    }
  },
};
