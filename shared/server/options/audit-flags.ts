import { boolKind, durationKind, float32Kind, intKind, stringKind } from './flag-kinds.ts';
import { flag } from './flag-set.ts';

const auditing = 'Auditing';

/** Flags of the audit log. */
export const auditFlags = {
  auditLogBatchBufferSize: flag(
    intKind,
    auditing,
    10_000,
    'Events that wait for the file in batch mode; further ones are dropped.',
  ),
  auditLogBatchMaxSize: flag(intKind, auditing, 1, 'Most events of one batch.'),
  auditLogBatchMaxWait: flag(durationKind, auditing, 0, 'Longest time until a batch that is not full is sent.'),
  auditLogBatchThrottleBurst: flag(intKind, auditing, 0, 'Batches that may follow each other at once.'),
  auditLogBatchThrottleEnable: flag(boolKind, auditing, false, 'Whether batches are throttled.'),
  auditLogBatchThrottleQps: flag(float32Kind, auditing, 0, 'Batches a second, on average.'),
  auditLogCompress: flag(boolKind, auditing, false, 'Whether files that are full are compressed by gzip.'),
  auditLogFormat: flag(
    stringKind,
    auditing,
    'json',
    'Form of events in the file: json or legacy, a line of text each.',
  ),
  auditLogMaxage: flag(intKind, auditing, 366, 'Days for which full files are kept; 0 for no limit.'),
  auditLogMaxbackup: flag(intKind, auditing, 100, 'How many full files are kept; 0 for no limit.'),
  auditLogMaxsize: flag(intKind, auditing, 100, 'Size in MB at which a new file begins.'),
  auditLogMode: flag(
    stringKind,
    auditing,
    'blocking',
    'When events are written: batch, blocking or blocking-strict, which fails requests whose event cannot be written.',
  ),
  auditLogPath: flag(stringKind, auditing, '', 'File of audit events; - for the standard output.'),
  auditLogTruncateEnabled: flag(boolKind, auditing, false, 'Whether events and batches that are too large are cut.'),
  auditLogTruncateMaxBatchSize: flag(intKind, auditing, 10_485_760, 'Largest batch in bytes.'),
  auditLogTruncateMaxEventSize: flag(
    intKind,
    auditing,
    102_400,
    'Largest event in bytes: first its objects are left out, then the whole event.',
  ),
  auditLogVersion: flag(stringKind, auditing, 'audit.k8s.io/v1', 'Version of the events.'),
  auditPolicyFile: flag(
    stringKind,
    auditing,
    '',
    'File with the audit Policy: which requests give events, and with how much of them.',
  ),
  auditWebhookBatchBufferSize: flag(
    intKind,
    auditing,
    10_000,
    'Events that wait for the webhook in batch mode; further ones are dropped.',
  ),
  auditWebhookBatchInitialBackoff: flag(
    durationKind,
    auditing,
    10_000,
    'Older name of --audit-webhook-initial-backoff.',
    { hidden: true },
  ),
  auditWebhookBatchMaxSize: flag(intKind, auditing, 400, 'Most events of one batch.'),
  auditWebhookBatchMaxWait: flag(
    durationKind,
    auditing,
    30_000,
    'Longest time until a batch that is not full is sent.',
  ),
  auditWebhookBatchThrottleBurst: flag(intKind, auditing, 15, 'Batches that may follow each other at once.'),
  auditWebhookBatchThrottleEnable: flag(boolKind, auditing, true, 'Whether batches are throttled.'),
  auditWebhookBatchThrottleQps: flag(float32Kind, auditing, 10, 'Batches a second, on average.'),
  auditWebhookConfigFile: flag(stringKind, auditing, '', 'Kubeconfig of a server that takes audit events.'),
  auditWebhookInitialBackoff: flag(
    durationKind,
    auditing,
    10_000,
    'Time before the first repetition of a failed call.',
  ),
  auditWebhookMode: flag(
    stringKind,
    auditing,
    'batch',
    'When events are written: batch, blocking or blocking-strict, which fails requests whose event cannot be written.',
  ),
  auditWebhookTruncateEnabled: flag(
    boolKind,
    auditing,
    false,
    'Whether events and batches that are too large are cut.',
  ),
  auditWebhookTruncateMaxBatchSize: flag(intKind, auditing, 10_485_760, 'Largest batch in bytes.'),
  auditWebhookTruncateMaxEventSize: flag(
    intKind,
    auditing,
    102_400,
    'Largest event in bytes: first its objects are left out, then the whole event.',
  ),
  auditWebhookVersion: flag(stringKind, auditing, 'audit.k8s.io/v1', 'Version of the events.'),
};
