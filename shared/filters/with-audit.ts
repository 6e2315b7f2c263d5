import type { AuditDecision } from '#shared/audit/contract/audit-policy.ts';
import { AuditTrail, type AuditRecorder } from '#shared/audit/recorder/audit-trail.ts';
import type { Filter, RequestContext } from '#shared/request/request-context.ts';
import { sendInternalError } from './filter-tools.ts';

/**
 * Makes the audit events of each request to which the policy gives a level, for the authenticated user. A request whose
 * first event could not be written is refused, where the sink says so.
 */
export function withAudit(auditing: AuditRecorder | undefined): Filter | undefined {
  if (auditing === undefined) return undefined;
  return (next) => {
    const go = (context: RequestContext, trail: AuditTrail, isStored: boolean): void | Promise<void> => {
      if (isStored) {
        trail.followAnswer();
        return next(context);
      }
      auditing.metrics.rejected();
      delete context.audit;
      sendInternalError(context.exchange, 'failed to store audit event');
    };
    return (context) => {
      const decision = decide(context, auditing);
      if (decision === undefined) return next(context);
      const trail = trailOf(context, decision, auditing);
      const stored = trail.receive();
      return typeof stored === 'boolean' ? go(context, trail, stored) : stored.then((one) => go(context, trail, one));
    };
  };
}

/**
 * Makes the one event of a request that a filter before {@link withAudit} refuses. `message` is that of the event if
 * the answer has none.
 */
export function auditRefusal(context: RequestContext, auditing: AuditRecorder | undefined, message: string): void {
  const decision = auditing === undefined ? undefined : decide(context, auditing);
  if (auditing === undefined || decision === undefined) return;
  const trail = trailOf(context, decision, auditing);
  trail.noteStatus({ message });
  trail.followRefusal();
}

function trailOf(context: RequestContext, decision: AuditDecision, auditing: AuditRecorder): AuditTrail {
  const trail = new AuditTrail(context, decision, auditing);
  context.audit = trail;
  for (const [key, value] of context.authenticationAnnotations ?? []) trail.annotate(key, value);
  return trail;
}

function decide({ user, info }: RequestContext, { policy, metrics }: AuditRecorder): AuditDecision | undefined {
  const decision = policy.decide(user, info);
  metrics.decided(decision.level);
  return decision.level === 'None' ? undefined : decision;
}
