import type { AuditLevel, AuditStage } from '#shared/audit/contract/audit-event.ts';
import type { AuditDecision, AuditPolicy } from '#shared/audit/contract/audit-policy.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { AuditRules } from './audit-rules.ts';
import { ruleMatcher, type MatchesRule } from './rule-matcher.ts';

interface CompiledRule {
  readonly matches: MatchesRule;
  readonly decision: AuditDecision;
}

/** Prepares a valid policy. The first rule that a request is of decides; without one there is no event. */
export function compilePolicy(policy: AuditRules): AuditPolicy {
  const rules = policy.rules.map((rule): CompiledRule => ({
    matches: ruleMatcher(rule),
    decision: decisionOf(
      rule.level,
      [...policy.omitStages, ...rule.omitStages],
      rule.omitManagedFields ?? policy.omitManagedFields,
    ),
  }));
  const otherwise = decisionOf('None', policy.omitStages, policy.omitManagedFields);
  return {
    decide(user: UserInfo, info: RequestInfo) {
      for (const { matches, decision } of rules) if (matches(user, info)) return decision;
      return otherwise;
    },
  };
}

function decisionOf(level: string, stages: readonly string[], omitManagedFields: boolean): AuditDecision {
  // Validation has let through no others.
  return Object.freeze({
    level: level as AuditLevel,
    omitStages: new Set(stages as readonly AuditStage[]),
    omitManagedFields,
  });
}
