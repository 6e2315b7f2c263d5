import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { ipWarnings } from '#servers/core/warnings/addresses.ts';
import { firstWarnings } from '#servers/core/warnings/first-warnings.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { setDefaultText } from '#shared/apimachinery/set-default.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { validateEndpoints } from './endpoint-validation.ts';
import { endpointsRows } from './service-rows.ts';

/** Endpoints (pkg/registry/core/endpoint). */
const endpointsStrategy = ({ gates }: StrategyDependencies): Strategy => ({
  validate: (endpoints) => validateEndpoints(endpoints, gates),
  validateUpdate: (endpoints, old) => validateEndpoints(endpoints, gates, old),
  warningsOnCreate: endpointsWarnings,
  warningsOnUpdate: endpointsWarnings,
  applyDefaults(endpoints) {
    for (const subset of objectsAt(endpoints, 'subsets')) {
      for (const port of objectsAt(subset, 'ports')) setDefaultText(port, 'protocol', 'TCP');
    }
  },
});

/** Warns about addresses in a wrong form; objects of the endpoint controller are not checked. */
function endpointsWarnings(endpoints: KubeObject): string[] {
  if (endpoints.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === 'endpoint-controller') return [];
  return firstWarnings(objectsAt(endpoints, 'subsets'), (subset, index) =>
    ['addresses', 'notReadyAddresses'].flatMap((list) =>
      ipWarnings(objectsAt(subset, list), path('subsets').index(index).child(list), 'ip'),
    ),
  );
}

export const endpointsResource = defineBuiltIn({
  group: '',
  resource: 'endpoints',
  rows: endpointsRows,
  strategy: endpointsStrategy,
  writes: {
    allowCreateOnUpdate: true,
    metadataOnUpdate: 'both',
  },
});
