import { HeldRules } from './held-rules.ts';
import type { PolicyRule } from './policy-rule.ts';

/**
 * The parts of `wanted` that `held` does not cover, broken down to one verb, resource and name each
 * (component-helpers/auth/rbac).
 */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  const rules = new HeldRules(held);
  return wanted.flatMap(breakDown).filter((part) => !rules.cover(part));
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

function breakDown(rule: PolicyRule): PolicyRule[] {
  const none: readonly string[] = [];
  const parts: PolicyRule[] = [];
  for (const group of rule.apiGroups) {
    for (const resource of rule.resources) {
      for (const verb of rule.verbs) {
        const part = { apiGroups: [group], resources: [resource], verbs: [verb], nonResourceURLs: none };
        if (rule.resourceNames.length === 0) parts.push({ ...part, resourceNames: none });
        for (const name of rule.resourceNames) parts.push({ ...part, resourceNames: [name] });
      }
    }
  }
  for (const url of rule.nonResourceURLs) {
    for (const verb of rule.verbs)
      parts.push({ apiGroups: none, resources: none, resourceNames: none, nonResourceURLs: [url], verbs: [verb] });
  }
  return parts;
}
