import { objectsAt } from '../../../shared/apimachinery/object.ts';
import { setDefaultText } from '../../../shared/apimachinery/set-default.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** Endpoints (pkg/registry/core/endpoint). */
export const endpointsStrategy: Strategy = {
  applyDefaults(endpoints) {
    for (const subset of objectsAt(endpoints, 'subsets')) {
      for (const port of objectsAt(subset, 'ports')) setDefaultText(port, 'protocol', 'TCP');
    }
  },
};
