import type { PodHolder } from '#servers/core/apis/contract/pod-holder.ts';
import type { DropDisabled } from '#servers/core/gates/disabled-fields.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { isDNS1123Label } from '#shared/apimachinery/validation/names.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { podWarnings } from './warnings/pods.ts';

function nameWarnings(part: string | undefined, object: KubeObject): string[] {
  const faults = part === undefined ? [] : isDNS1123Label(object.metadata.name ?? '');
  return faults.length === 0
    ? []
    : [
        `metadata.name: this is used in ${part ?? ''}, which can result in surprising behavior; a DNS label is recommended: [${faults.join(' ')}]`,
      ];
}

/**
 * Adds the common rules of pods and pod templates to a strategy: fields whose feature gate is off are dropped, and
 * creations and changes of the template get warnings.
 */
export function withPodRules(
  holder: PodHolder | undefined,
  strategy: Strategy,
  dropDisabled: DropDisabled,
  gates: Gates,
): Strategy {
  if (holder === undefined) return strategy;
  const { steps, isChanged = (object, old) => object.metadata.generation !== old.metadata.generation } = holder;
  const field = steps.length === 0 ? undefined : path(...steps);
  const specOf = (object: KubeObject): JsonObject | undefined => objectAt(object, ...steps, 'spec');
  const warnings = (object: KubeObject): string[] => [
    ...(holder.holderWarnings?.(object) ?? []),
    ...podWarnings(objectAt(object, ...steps) ?? {}, gates, field),
  ];
  return {
    ...strategy,
    prepareForCreate(object, context) {
      dropDisabled(specOf(object), undefined);
      strategy.prepareForCreate?.(object, context);
    },
    prepareForUpdate(object, old, context) {
      dropDisabled(specOf(object), specOf(old));
      strategy.prepareForUpdate?.(object, old, context);
    },
    warningsOnCreate: (object) => [
      ...nameWarnings(holder.namedAfter, object),
      ...warnings(object),
      ...(strategy.warningsOnCreate?.(object) ?? []),
    ],
    warningsOnUpdate: (object, old) => [
      ...(isChanged(object, old) ? warnings(holder.warnsOfOld === true ? old : object) : []),
      ...(strategy.warningsOnUpdate?.(object, old) ?? []),
    ],
  };
}
