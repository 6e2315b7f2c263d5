import type { ResourceDefinition } from '#shared/registry/define-resource.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import type { BuiltInResource, RestParts, StrategyParts } from './apis/contract/built-in-resource.ts';
import { disabledPodFields } from './apis/core/pods/disabled-pod-fields.ts';
import { withPodRules } from './apis/core/pods/with-pod-rules.ts';
import { builtInResources } from './apis/index.ts';
import type { DropDisabled } from './gates/disabled-fields.ts';
import { withGatedFields } from './gates/with-gated-fields.ts';

/** The strategy of resources that define no other. */
const usualStrategy: Strategy = {
  allowCreateOnUpdate: false,
  allowUnconditionalUpdate: true,
  metadataOnUpdate: 'changes',
  anyFinalizers: false,
  generation: 'none',
};

/** The strategy of each stored resource: the rules from its file, combined with those for PUT and generation. */
export function coreStrategies(parts: StrategyParts): (group: string, resource: string) => Strategy {
  const dropFromPods = disabledPodFields(parts.gates);
  const made = new Map(
    builtInResources.map((resource) => [
      `${resource.group}/${resource.resource}`,
      strategyOf(resource, parts, dropFromPods),
    ]),
  );
  return (group, resource) => made.get(`${group}/${resource}`) ?? usualStrategy;
}

/** The definition of every built-in resource that has more than its generated facts, without the strategy. */
export function coreDefinitions(parts: RestParts): ResourceDefinition[] {
  return builtInResources.map(({ group, resource, rows, subresources, conversions, creator, reader }) => ({
    group,
    resource,
    ...(rows === undefined ? {} : { rows }),
    ...(subresources === undefined ? {} : { subresources: subresources(parts) }),
    ...(conversions === undefined ? {} : { conversions }),
    ...(creator === undefined ? {} : { creator: creator(parts) }),
    ...(reader === undefined ? {} : { reader: reader(parts) }),
  }));
}

function strategyOf(resource: BuiltInResource, parts: StrategyParts, dropFromPods: DropDisabled): Strategy {
  const { strategy: own, writes, podHolder, gatedFields = [], countsAsSent = false } = resource;
  const strategy = { ...usualStrategy, ...writes, ...(typeof own === 'function' ? own(parts) : own) };
  return withGatedFields(
    withPodRules(podHolder, strategy, dropFromPods, parts.gates),
    gatedFields,
    parts.gates,
    countsAsSent,
  );
}
