import { urlMatches, type PolicyRule } from './policy-rule.ts';

/**
 * The parts of `wanted` that `held` does not cover, broken down to one verb, resource and name each
 * (component-helpers/auth/rbac).
 */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): PolicyRule[] {
  return wanted.flatMap(breakDown).filter((part) => !held.some((rule) => covers(rule, part)));
}

/** Joins rules that differ by verb only, for messages. */
export function compactRules(parts: readonly PolicyRule[]): PolicyRule[] {
  const compacted: PolicyRule[] = [];
  const simple = new Map<string, PolicyRule>();
  for (const part of parts) {
    if (part.nonResourceURLs.length > 0) {
      compacted.push(part);
      continue;
    }
    const key = JSON.stringify([part.apiGroups, part.resources, part.resourceNames]);
    const present = simple.get(key);
    simple.set(key, present ? { ...present, verbs: [...present.verbs, ...part.verbs] } : part);
  }
  return [...compacted, ...simple.values()];
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

/** Whether a rule allows everything that `part` allows, which has at most one value in each list. */
function covers(rule: PolicyRule, part: PolicyRule): boolean {
  const all = (set: readonly string[], wanted: readonly string[]): boolean =>
    set.includes('*') || wanted.every((value) => set.includes(value));
  return (
    all(rule.verbs, part.verbs) &&
    all(rule.apiGroups, part.apiGroups) &&
    part.resources.every((resource) => coversResource(rule.resources, resource)) &&
    part.nonResourceURLs.every((url) =>
      rule.nonResourceURLs.some((pattern) => pattern === url || (pattern.endsWith('*') && urlMatches(pattern, url))),
    ) &&
    (rule.resourceNames.length === 0 ||
      (part.resourceNames.length > 0 && part.resourceNames.every((name) => rule.resourceNames.includes(name))))
  );
}

function coversResource(resources: readonly string[], resource: string): boolean {
  if (resources.includes('*') || resources.includes(resource)) return true;
  const slash = resource.indexOf('/');
  return slash >= 0 && resources.includes(`*${resource.slice(slash)}`);
}
