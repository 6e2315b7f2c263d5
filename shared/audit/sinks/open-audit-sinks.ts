import type { AuditSink } from '#shared/audit/contract/audit-sink.ts';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { DirectSink } from './direct-sink.ts';
import { FileWriter } from './file/file-writer.ts';
import { prepareLog } from './file/log-target.ts';
import { BufferedSink } from './queue/buffered-sink.ts';
import { logOptions, webhookBackoffMs, webhookOptions, type BackendOptions, type SinkFlags } from './sink-options.ts';
import { TruncatingSink } from './truncating-sink.ts';
import { UnionSink } from './union-sink.ts';
import { WebhookWriter } from './webhook/webhook-writer.ts';
import type { EventWriter } from './writing/event-writer.ts';
import type { ReportDrop } from './writing/sink-metrics.ts';

export interface SinkDependencies {
  /** How the webhook is reached. Default: directly. */
  readonly dial?: EgressDial | undefined;
  readonly reportDrop: ReportDrop;
  readonly reportError: (message: string, error: unknown) => void;
}

const mib = 1024 * 1024;
/** The bytes of events that one sink keeps, whether they wait or are under way. */
const maxBytes = 64 * mib;
/** The largest batch where no flag says. */
const maxBatchBytes = 8 * mib;
/** Calls of a webhook that hangs end after 30 s and are tried again; the next batches wait then. */
const maxCalls = 64;

/**
 * The sinks that the flags name; undefined for none.
 * @throws ConfigurationError for a kubeconfig that cannot be used, the system's error for a file that cannot be written
 */
export function openAuditSinks(flags: SinkFlags, dependencies: SinkDependencies): AuditSink | undefined {
  const sinks = [logSink(flags, dependencies), webhookSink(flags, dependencies)].filter((sink) => sink !== undefined);
  return sinks.length > 1 ? new UnionSink(sinks) : sinks[0];
}

function logSink(flags: SinkFlags, { reportDrop, reportError }: SinkDependencies): AuditSink | undefined {
  const path = flags.auditLogPath;
  if (path === '') return undefined;
  if (path !== '-') prepareLog(path);
  const writer = new FileWriter({
    path,
    format: flags.auditLogFormat === 'legacy' ? 'legacy' : 'json',
    maxBytes: flags.auditLogMaxsize * mib,
    maxBackups: flags.auditLogMaxbackup,
    maxAgeDays: flags.auditLogMaxage,
    compresses: flags.auditLogCompress,
    reportDrop,
    reportError,
  });
  // The writer puts batches together that come while it writes.
  return sinkFor(writer, logOptions(flags), Infinity, reportDrop);
}

function webhookSink(flags: SinkFlags, dependencies: SinkDependencies): AuditSink | undefined {
  if (flags.auditWebhookConfigFile === '') return undefined;
  const writer = new WebhookWriter({
    file: flags.auditWebhookConfigFile,
    retryMs: webhookBackoffMs(flags),
    ...dependencies,
  });
  return sinkFor(writer, webhookOptions(flags), maxCalls, dependencies.reportDrop);
}

function sinkFor(writer: EventWriter, options: BackendOptions, maxWrites: number, reportDrop: ReportDrop): AuditSink {
  const { mode, batch, truncates, maxEventBytes } = options;
  const sink =
    mode === 'batch'
      ? new BufferedSink(writer, {
          maxEvents: batch.bufferSize,
          maxBytes,
          maxBatchEvents: batch.maxSize,
          maxBatchBytes: truncates ? options.maxBatchBytes : maxBatchBytes,
          maxWaitMs: batch.maxSize > 1 ? batch.maxWaitMs : 0,
          rate: batch.throttles ? { qps: batch.qps, burst: batch.burst } : undefined,
          maxWrites,
          reportDrop,
        })
      : new DirectSink(writer, { isStrict: mode === 'blocking-strict', maxBytes, reportDrop });
  return truncates ? new TruncatingSink(sink, { maxEventBytes, reportDrop }) : sink;
}
