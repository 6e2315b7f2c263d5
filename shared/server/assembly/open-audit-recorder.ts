import { openAuditing } from '#shared/audit/open-auditing.ts';
import { AuditMetrics } from '#shared/audit/recorder/audit-metrics.ts';
import type { AuditRecorder } from '#shared/audit/recorder/audit-trail.ts';
import type { EgressSelector } from '#shared/egress/egress-selector.ts';
import { tellConflict } from '#shared/filters/tell-conflict.ts';
import type { Logger } from '#shared/observability/logger.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

interface RecorderDependencies {
  readonly options: ServerOptions;
  readonly logger: Logger;
  /** How the webhook is reached. Default: directly. */
  readonly egress?: EgressSelector;
}

/**
 * Opens the audit log of a server that clients reach directly; undefined without a policy, or without anybody who
 * takes events.
 * @throws as `openAuditing`
 */
export function openAuditRecorder({ options, logger, egress }: RecorderDependencies): AuditRecorder | undefined {
  const auditing = openAuditing(options, { logger, dial: egress?.dialer('controlplane') });
  if (auditing === undefined) return undefined;
  const { policy, sink } = auditing;
  return { policy, sink, metrics: new AuditMetrics(auditing.metrics()), onConflict: tellConflict(logger) };
}
