import { maxFieldErrors } from '#shared/apimachinery/errors/error-budget.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { CoveringRules } from './covering-rules.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * The parts of `wanted` that `held` does not cover, broken down to one verb, resource and name each
 * (component-helpers/auth/rbac). The reference tells them all; here the first 10,000 are enough to refuse.
 */
export function* missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): Steps<PolicyRule[]> {
  const rules = yield* CoveringRules.of(held);
  const missing: PolicyRule[] = [];
  for (const rule of wanted) {
    for (const part of breakDown(rule)) {
      if (!rules.cover(part) && missing.push(part) === maxFieldErrors) return missing;
      if (sliceIsOver()) yield;
    }
  }
  return missing;
}

/** How many parts rules break down to: their lists multiply. */
export function countParts(rules: readonly PolicyRule[]): number {
  return rules.reduce(
    (sum, { verbs, apiGroups, resources, resourceNames, nonResourceURLs }) =>
      sum +
      verbs.length * (apiGroups.length * resources.length * Math.max(1, resourceNames.length) + nonResourceURLs.length),
    0,
  );
}

/** Joins rules that differ by verb only, for messages. */
export function compactRules(parts: readonly PolicyRule[]): PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const simple = new Map<string, { readonly rule: PolicyRule; readonly verbs: string[] }>();
  for (const part of parts) {
    if (part.nonResourceURLs.length > 0) {
      compacted.push(part);
      continue;
    }
    const key = JSON.stringify([part.apiGroups, part.resources, part.resourceNames]);
    const present = simple.get(key);
    if (present === undefined) simple.set(key, { rule: part, verbs: [...part.verbs] });
    else for (const verb of part.verbs) present.verbs.push(verb);
  }
  return [...compacted, ...Array.from(simple.values(), ({ rule, verbs }) => ({ ...rule, verbs }))];
}

function* breakDown(rule: PolicyRule): Generator<PolicyRule> {
  const none: readonly string[] = [];
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb], nonResourceURLs: none };
        if (rule.resourceNames.length === 0) yield { ...part, resourceNames: none };
        for (const name of rule.resourceNames) yield { ...part, resourceNames: [name] };
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs)
      yield { apiGroups: none, resources: none, resourceNames: none, nonResourceURLs: [url], verbs: [verb] };
  }
}
