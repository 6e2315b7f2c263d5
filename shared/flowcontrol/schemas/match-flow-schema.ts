import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { FlowSchema, FlowRules, ResourceRule, FlowSubject } from './flow-schema.ts';

const accountPrefix = 'system:serviceaccount:';

/** The rules of a FlowSchema that are about the user. */
export function rulesForUser({ rules }: FlowSchema, user: UserInfo): FlowRules[] {
  return rules.filter(({ subjects }) => subjects.some((subject) => isSubject(subject, user)));
}

/** Whether a rule is about such requests, whoever sends them (apiserver/pkg/util/flowcontrol/rule.go). */
export function isRequestOfRule({ resourceRules, nonResourceRules }: FlowRules, info: RequestInfo): boolean {
  if (info.isResourceRequest) return resourceRules.some((rule) => isResourceRequestOfRule(rule, info));
  return nonResourceRules.some(
    ({ verbs, paths }) => hasOrAll(verbs, info.verb) && paths.some((path) => isPathOfRule(path, info.path)),
  );
}

function isSubject(subject: FlowSubject, user: UserInfo): boolean {
  switch (subject.kind) {
    case 'User':
      return subject.name === '*' || subject.name === user.name;
    case 'Group':
      return subject.name === '*' || user.groups.includes(subject.name);
    case 'ServiceAccount': {
      const accounts = `${accountPrefix}${subject.namespace}:`;
      return subject.name === '*' ? user.name.startsWith(accounts) : user.name === accounts + subject.name;
    }
    default:
      return false;
  }
}

function isResourceRequestOfRule(rule: ResourceRule, info: RequestInfo): boolean {
  const resource = info.subresource === '' ? info.resource : `${info.resource}/${info.subresource}`;
  if (!hasOrAll(rule.verbs, info.verb) || !hasOrAll(rule.resources, resource)) return false;
  if (!hasOrAll(rule.apiGroups, info.apiGroup)) return false;
  return info.namespace === '' ? rule.clusterScope : hasOrAll(rule.namespaces, info.namespace);
}

function isPathOfRule(rulePath: string, path: string): boolean {
  if (rulePath === '*' || rulePath === path) return true;
  const prefix = rulePath.endsWith('*') ? rulePath.slice(0, -1) : rulePath;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

/** `*` stands for all where it is the only item. */
function hasOrAll(list: readonly string[], item: string): boolean {
  return (list.length === 1 && list[0] === '*') || list.includes(item);
}
