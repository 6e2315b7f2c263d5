import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import type { StrategyDependencies } from '#servers/core/apis/contract/built-in-resource.ts';
import { serviceProxy } from '#servers/core/proxy/connect-proxy.ts';
import { ingressPointWarnings } from '#servers/core/warnings/addresses.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { nameIsDNSLabel, nameIsDNS1035Label } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { addressesOf, portsOf, ServiceAllocation } from './service-allocation.ts';
import { applyServiceDefaults, needsClusterIP } from './service-defaults.ts';
import { completeFamilies } from './service-families.ts';
import { serviceRows } from './service-rows.ts';
import { validateServiceStatus } from './service-status-validation.ts';
import { dropTypeDependentFields, keepAllocated, normalizeClusterIPs } from './service-transitions.ts';
import { validateService, validateServiceUpdate } from './service-validation.ts';
import { serviceWarnings } from './service-warnings.ts';

/**
 * Services (pkg/registry/core/service): addresses and node ports are allocated before the write and released if it
 * fails.
 */
function serviceStrategy(dependencies: StrategyDependencies): Strategy {
  const { gates, clusterIPs, nodePorts } = dependencies;
  return {
    validateName: (name, isPrefix) =>
      (gates.RelaxedServiceNameValidation ? nameIsDNSLabel : nameIsDNS1035Label)(name, isPrefix),
    applyDefaults: applyServiceDefaults,
    completeStored(service) {
      normalizeClusterIPs(service, undefined);
      completeFamilies(service, clusterIPs.families());
      dropInternalTrafficPolicy(service);
    },
    beginCreate(service, context) {
      normalizeClusterIPs(service, undefined);
      return new ServiceAllocation(service, undefined, dependencies, context).run();
    },
    prepareForCreate: (service) => void (service['status'] = { loadBalancer: {} }),
    validate: (service) => validateService(service, gates),
    beginUpdate(service, old, context) {
      keepAllocated(service, old);
      normalizeClusterIPs(service, old);
      return new ServiceAllocation(service, old, dependencies, context).run();
    },
    prepareForUpdate: dropTypeDependentFields,
    validateUpdate: (service, old) => validateServiceUpdate(service, gates, old),
    validateStatusUpdate: (service, old) => validateServiceStatus(service, gates, old),
    canonicalize: dropInternalTrafficPolicy,
    warningsOnCreate: serviceWarnings,
    warningsOnUpdate: serviceWarnings,
    warningsOnStatusUpdate: (service) => ingressPointWarnings(service, path('status')),
    async afterDelete(service, context) {
      if (context.dryRun) return;
      for (const ip of addressesOf(service)) await clusterIPs.release(ip, context);
      await nodePorts.release(portsOf(service));
    },
    selectableFields: (service: KubeObject) => ({
      'spec.clusterIP': stringAt(service, 'spec', 'clusterIP'),
      'spec.type': stringAt(service, 'spec', 'type'),
    }),
  };
}

/** Drops `internalTrafficPolicy` of an ExternalName Service, as the reference does when it reads one. */
function dropInternalTrafficPolicy(service: KubeObject): void {
  if (!needsClusterIP(service)) delete objectAt(service, 'spec')?.['internalTrafficPolicy'];
}

export const serviceResource = defineBuiltIn({
  group: '',
  resource: 'services',
  rows: serviceRows,
  strategy: serviceStrategy,
  writes: {
    allowCreateOnUpdate: true,
  },
  subresources: ({ core, proxyAgents: agents }) => ({ proxy: serviceProxy({ core, agents }) }),
});
