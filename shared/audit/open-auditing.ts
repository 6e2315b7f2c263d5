import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { limitRepeatedErrors } from '#shared/observability/limit-repeated-errors.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { AuditPolicy } from './contract/audit-policy.ts';
import type { AuditSink } from './contract/audit-sink.ts';
import { compilePolicy } from './policy/compile-policy.ts';
import { loadPolicyFile } from './policy/load-policy.ts';
import { openAuditSinks } from './sinks/open-audit-sinks.ts';
import type { SinkFlags } from './sinks/sink-options.ts';
import { SinkMetrics } from './sinks/writing/sink-metrics.ts';

export interface AuditFlags extends SinkFlags {
  readonly auditPolicyFile: string;
}

export interface AuditingDependencies {
  readonly logger: Logger;
  /** How the webhook is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
}

/** Which requests give events, and who takes them. */
export interface Auditing {
  readonly policy: AuditPolicy;
  readonly sink: AuditSink;
  /** Events that were not written. */
  metrics(): readonly Family[];
}

/**
 * Reads the policy and opens the sinks that the flags name. Undefined without a policy or without a sink: then nothing
 * is audited.
 * @throws ConfigurationError, or the error of the operating system for a file that cannot be written
 */
export function openAuditing(flags: AuditFlags, { logger, dial }: AuditingDependencies): Auditing | undefined {
  const { auditPolicyFile, auditLogPath, auditWebhookConfigFile } = flags;
  if (auditPolicyFile === '') {
    if (auditLogPath !== '' || auditWebhookConfigFile !== '')
      logger.warning('No audit policy file provided, no events will be recorded; name one by --audit-policy-file', {
        auditLogPath,
        auditWebhookConfigFile,
      });
    return undefined;
  }
  const policy = compilePolicy(loadPolicyFile(auditPolicyFile, (message) => logger.warning(message)));
  const metrics = new SinkMetrics();
  const reportError = limitRepeatedErrors((message, error) => logger.error(message, error));
  const sink = openAuditSinks(flags, {
    dial,
    reportError,
    reportDrop(plugin, reason, count, error) {
      metrics.count(plugin, reason, count);
      reportError(`Error in audit plugin '${plugin}'; apiserver_audit_error_total counts the events`, error);
    },
  });
  if (sink === undefined) return undefined;
  logger.info(2, 'Using audit backend', { backend: sink.name });
  return { policy, sink, metrics: () => metrics.families() };
}
