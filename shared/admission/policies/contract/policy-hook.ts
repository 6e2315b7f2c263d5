import type { FailurePolicy } from '#shared/admission/expressions/match-conditions.ts';
import { resourceCriteria, type MatchCriteria } from '#shared/admission/matching/match-criteria.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { ParamLister } from './param-source.ts';

export interface PolicyBinding {
  readonly name: string;
  readonly spec: JsonObject;
  /** The `matchResources`; undefined matches what the policy matches. */
  readonly criteria: MatchCriteria | undefined;
}

/** A policy that at least one binding puts into effect. */
export interface PolicyHook<Evaluator> {
  readonly name: string;
  readonly spec: JsonObject;
  /** The `matchConstraints`. */
  readonly criteria: MatchCriteria;
  readonly failurePolicy: FailurePolicy;
  readonly evaluator: Evaluator;
  readonly bindings: readonly PolicyBinding[];
  /** Where the parameters are; undefined for a policy without `paramKind`. */
  readonly params: ParamLister | undefined;
  /** Why the policy cannot be evaluated. */
  readonly configurationError: string | undefined;
}

/** Bindings, sorted, by the names of their policies. */
export function bindingsByPolicy(bindings: readonly KubeObject[]): Map<string, PolicyBinding[]> {
  const byPolicy = new Map<string, PolicyBinding[]>();
  for (const binding of bindings) {
    const spec = objectAt(binding, 'spec') ?? {};
    const resources = objectAt(spec, 'matchResources');
    const criteria = resources === undefined ? undefined : resourceCriteria(resources);
    const policy = stringAt(spec, 'policyName');
    const others = byPolicy.get(policy) ?? [];
    others.push({ name: binding.metadata.name ?? '', spec, criteria });
    byPolicy.set(policy, others);
  }
  return byPolicy;
}
