import { newInternalError, type StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { labelSelectorAsSelector, SelectorError, type LabelSelector } from '#shared/apimachinery/selectors/labels.ts';
import { compileMatchRule, type MatchRule } from './match-rule.ts';

/** What a webhook, a policy or a binding selects. */
export interface MatchCriteria {
  /** Undefined selects every resource: match resources of policies without rules do. */
  readonly rules: readonly MatchRule[] | undefined;
  readonly excludeRules: readonly MatchRule[];
  /** `matchPolicy: Equivalent`. */
  readonly isEquivalent: boolean;
  /** An error in place of a selector is thrown by requests that the rest selects. */
  readonly namespaceSelector: LabelSelector | StatusError;
  readonly objectSelector: LabelSelector | StatusError;
}

/** Compiles the criteria of a webhook. */
export function webhookCriteria(webhook: JsonObject): MatchCriteria {
  return {
    rules: objectsAt(webhook, 'rules').map(compileMatchRule),
    excludeRules: [],
    ...criteriaOf(webhook),
  };
}

/** Compiles MatchResources: `matchConstraints` of a policy, `matchResources` of a binding. */
export function resourceCriteria(matchResources: JsonObject): MatchCriteria {
  const rules = objectsAt(matchResources, 'resourceRules').map(compileMatchRule);
  return {
    rules: rules.length === 0 ? undefined : rules,
    excludeRules: objectsAt(matchResources, 'excludeResourceRules').map(compileMatchRule),
    ...criteriaOf(matchResources),
  };
}

function criteriaOf(object: JsonObject): Pick<MatchCriteria, 'isEquivalent' | 'namespaceSelector' | 'objectSelector'> {
  return {
    isEquivalent: stringAt(object, 'matchPolicy') === 'Equivalent',
    namespaceSelector: selectorAt(object, 'namespaceSelector'),
    objectSelector: selectorAt(object, 'objectSelector'),
  };
}

function selectorAt(object: JsonObject, field: string): LabelSelector | StatusError {
  try {
    return labelSelectorAsSelector(objectAt(object, field));
  } catch (error) {
    if (error instanceof SelectorError) return newInternalError(error.message);
    throw error;
  }
}
