import type { ResourceDefinition } from '#shared/registry/define-resource.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import type { BuiltInResource, RestDependencies, StrategyDependencies } from './apis/contract/built-in-resource.ts';
import { disabledPodFields } from './apis/core/pods/disabled-pod-fields.ts';
import { withPodRules } from './apis/core/pods/with-pod-rules.ts';
import { builtInResources } from './apis/index.ts';
import type { DropDisabled } from './gates/disabled-fields.ts';
import { withGatedFields } from './gates/with-gated-fields.ts';

/** What the strategies of resources begin with. */
const usualStrategy: Strategy = {
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  metadataOnUpdate: 'changes',
  anyFinalizers: false,
  generation: 'none',
};

/**
 * The strategy of each built-in resource: the rules from its file, combined with those for PUT and generation. Throws
 * for a resource that no list of `apis` has.
 */
export function coreStrategies(dependencies: StrategyDependencies): (group: string, resource: string) => Strategy {
  const dropFromPods = disabledPodFields(dependencies.gates);
  const made = new Map(
    builtInResources.map((resource) => [
      `${resource.group}/${resource.resource}`,
      strategyOf(resource, dependencies, dropFromPods),
    ]),
  );
  return (group, resource) => {
    const strategy = made.get(`${group}/${resource}`);
    if (strategy === undefined) throw new Error(`${resource} of group "${group}" is in no list of servers/core/apis`);
    return strategy;
  };
}

/** The definition of every built-in resource of this server. */
export function coreDefinitions(dependencies: StrategyDependencies & RestDependencies): ResourceDefinition[] {
  const strategyFor = coreStrategies(dependencies);
  return builtInResources.map(({ group, resource, rows, subresources, conversions, creator, reader }) => ({
    group,
    resource,
    strategy: strategyFor(group, resource),
    ...(rows === undefined ? {} : { rows }),
    ...(subresources === undefined ? {} : { subresources: subresources(dependencies) }),
    ...(conversions === undefined ? {} : { conversions }),
    ...(creator === undefined ? {} : { creator: creator(dependencies) }),
    ...(reader === undefined ? {} : { reader: reader(dependencies) }),
  }));
}

function strategyOf(
  resource: BuiltInResource,
  dependencies: StrategyDependencies,
  dropFromPods: DropDisabled,
): Strategy {
  const { strategy: own, writes, podHolder, gatedFields = [], countsAsSent = false } = resource;
  const strategy = { ...usualStrategy, ...writes, ...(typeof own === 'function' ? own(dependencies) : own) };
  return withGatedFields(
    withPodRules(podHolder, strategy, dropFromPods, dependencies.gates),
    gatedFields,
    dependencies.gates,
    countsAsSent,
  );
}
