import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { GroupResources, AuditRule } from './audit-rules.ts';

/** Whether a request is of a rule. */
export type MatchesRule = (user: UserInfo, info: RequestInfo) => boolean;

/** Prepares a rule: a check takes a look-up for each selector, however many values it has. */
export function ruleMatcher(rule: AuditRule): MatchesRule {
  const [users, groups, verbs] = [setOf(rule.users), setOf(rule.userGroups), setOf(rule.verbs)];
  const matchesTarget = targetMatcher(rule);
  return (user, info) =>
    (users === undefined || users.has(user.name)) &&
    (groups === undefined || user.groups.some((group) => groups.has(group))) &&
    (verbs === undefined || verbs.has(info.verb)) &&
    (matchesTarget === undefined || matchesTarget(info));
}

function setOf(values: readonly string[]): ReadonlySet<string> | undefined {
  return values.length === 0 ? undefined : new Set(values);
}

type MatchesTarget = (info: RequestInfo) => boolean;

/** What the path of a request is about; undefined where the rule takes any. */
function targetMatcher({ namespaces, resources, nonResourceUrls }: AuditRule): MatchesTarget | undefined {
  if (namespaces.length > 0 || resources.length > 0) {
    const names = setOf(namespaces);
    const matchers = resources.map(resourceMatcher);
    return (info) =>
      info.isResourceRequest &&
      // Resources without a namespace have the empty one.
      (names === undefined || names.has(info.namespace)) &&
      (matchers.length === 0 || matchers.some((matches) => matches(info)));
  }
  return nonResourceUrls.length === 0 ? undefined : pathMatcher(nonResourceUrls);
}

function pathMatcher(patterns: readonly string[]): MatchesTarget {
  const exact = new Set(patterns);
  const prefixes = patterns.filter((pattern) => pattern.endsWith('*')).map((pattern) => pattern.replace(/\*+$/, ''));
  return ({ isResourceRequest, path }) =>
    !isResourceRequest && (exact.has(path) || prefixes.some((prefix) => path.startsWith(prefix)));
}

// `pods`, `pods/log`, `*` for everything, `*/log` for the subresource of any resource, `pods/*` for pods and all below.
function resourceMatcher({ group, resources, resourceNames }: GroupResources): MatchesTarget {
  const isOfGroup = (info: RequestInfo): boolean => group === '*' || group === info.apiGroup;
  if (resources.length === 0) return isOfGroup;
  const exact = new Set(resources);
  const wholes = new Set(resources.filter((text) => text.endsWith('/*')).map((text) => text.slice(0, -2)));
  const parts = new Set(resources.filter((text) => text.startsWith('*/')).map((text) => text.slice(2)));
  const names = setOf(resourceNames);
  return (info) => {
    if (!isOfGroup(info) || (names !== undefined && !names.has(info.name))) return false;
    const { resource, subresource } = info;
    return (
      exact.has('*') ||
      wholes.has(resource) ||
      (subresource === '' ? exact.has(resource) : parts.has(subresource) || exact.has(`${resource}/${subresource}`))
    );
  };
}
