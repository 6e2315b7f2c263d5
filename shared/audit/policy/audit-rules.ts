import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';

/** Resources of a group: an empty list is all of them. */
export interface GroupResources {
  readonly group: string;
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
}

/** A rule of a policy (audit.k8s.io/v1, PolicyRule); an empty list restricts nothing. */
export interface AuditRule {
  readonly level: string;
  readonly users: readonly string[];
  readonly userGroups: readonly string[];
  readonly verbs: readonly string[];
  readonly resources: readonly GroupResources[];
  readonly namespaces: readonly string[];
  readonly nonResourceUrls: readonly string[];
  readonly omitStages: readonly string[];
  /** Undefined where the policy's own field counts. */
  readonly omitManagedFields: boolean | undefined;
}

/** A policy as its file has it, before validation. */
export interface AuditRules {
  readonly omitStages: readonly string[];
  readonly omitManagedFields: boolean;
  readonly rules: readonly AuditRule[];
}

export function auditRules(policy: JsonObject): AuditRules {
  return {
    omitStages: stringsAt(policy, 'omitStages'),
    omitManagedFields: booleanAt(policy, 'omitManagedFields') ?? false,
    rules: objectsAt(policy, 'rules').map(ruleOf),
  };
}

function ruleOf(rule: JsonObject): AuditRule {
  return {
    level: stringAt(rule, 'level'),
    users: stringsAt(rule, 'users'),
    userGroups: stringsAt(rule, 'userGroups'),
    verbs: stringsAt(rule, 'verbs'),
    resources: objectsAt(rule, 'resources').map((entry) => ({
      group: stringAt(entry, 'group'),
      resources: stringsAt(entry, 'resources'),
      resourceNames: stringsAt(entry, 'resourceNames'),
    })),
    namespaces: stringsAt(rule, 'namespaces'),
    nonResourceUrls: stringsAt(rule, 'nonResourceURLs'),
    omitStages: stringsAt(rule, 'omitStages'),
    omitManagedFields: booleanAt(rule, 'omitManagedFields'),
  };
}
