import type { Facts, ResourceFacts } from '#shared/api/facts.ts';
import type { ResolvedFeatureGates } from '#shared/api/feature-gates.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { runtimeConfigErrors } from '#shared/registry/runtime-config.ts';
import { servedResources, type ServedResources } from '#shared/registry/served-resources.ts';
import { effectiveVersion, effectiveVersionErrors } from './effective-version.ts';
import { featureGates, kubePrefix } from './feature-gates.ts';
import type { ServerOptions } from './server-options.ts';

/** Whether the options enable a built-in resource. */
export function isServed(options: ServerOptions, facts: Facts): (resource: ResourceFacts) => boolean {
  const served = chosen(options, facts, featureGates(options));
  return (resource) => served.has(resource);
}

function chosen(options: ServerOptions, facts: Facts, { gates }: ResolvedFeatureGates): ServedResources {
  return servedResources(facts, {
    runtimeConfig: options.runtimeConfig,
    gates,
    emulation: effectiveVersion(options).emulation,
    forwardCompatible: options.emulationForwardCompatible,
    forwardCompatibleByName: options.runtimeConfigEmulationForwardCompatible,
  });
}

/** Errors in the flags for served and emulated versions. Costs nothing if no such flag is set. */
export function servingChoiceErrors(options: ServerOptions): string[] {
  const errors = effectiveVersionErrors(options);
  const silent = Object.keys({ ...options.runtimeConfig, ...options.featureGates }).length === 0;
  if (errors.length > 0 || silent) return errors;
  const components = Object.keys(options.featureGates)
    .filter((key) => key.includes(':') && !key.startsWith(kubePrefix))
    .map((key) => `component not registered: ${key.split(':')[0]}`);
  if (components.length > 0) return components;
  const facts = loadFacts();
  const gates = featureGates(options);
  const mistakes = [
    ...gates.errors,
    ...priorityAndFairnessErrors(options),
    ...runtimeConfigErrors(options.runtimeConfig, facts.registeredVersions()),
  ];
  if (mistakes.length > 0) return mistakes;
  const served = chosen(options, facts, gates);
  const routing = served.has({ group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' });
  return [...served.errors, ...(routing ? [] : ['API group/version apiregistration.k8s.io/v1 must be enabled'])];
}

/** The controller of priority and fairness reads its configuration in v1 (pkg/controlplane/apiserver/options). */
function priorityAndFairnessErrors({ runtimeConfig }: ServerOptions): string[] {
  const word = ['flowcontrol.apiserver.k8s.io/v1', 'api/ga', 'api/all'].find(
    (key) => getKey(runtimeConfig, key) !== undefined,
  );
  return word !== undefined && getKey(runtimeConfig, word) === 'false'
    ? [`--runtime-config=${word}=false conflicts with --enable-priority-and-fairness=true`]
    : [];
}
