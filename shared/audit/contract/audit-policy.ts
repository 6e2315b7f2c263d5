import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { AuditLevel, AuditStage } from './audit-event.ts';

/** What the policy says of one request. Decisions of one rule are one frozen object. */
export interface AuditDecision {
  readonly level: AuditLevel;
  readonly omitStages: ReadonlySet<AuditStage>;
  /** Whether objects are written without `metadata.managedFields`. */
  readonly omitManagedFields: boolean;
}

/** Decides by the authenticated user, before impersonation, and the request's path; linear in the rules. */
export interface AuditPolicy {
  decide(user: UserInfo, info: RequestInfo): AuditDecision;
}
