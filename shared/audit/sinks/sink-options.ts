const defaultBackoffMs = 10_000;

/** The flags of one backend, as validation has let them through (apiserver/pkg/server/options/audit.go). */
export interface BackendOptions {
  readonly mode: string;
  readonly batch: {
    readonly bufferSize: number;
    readonly maxSize: number;
    readonly maxWaitMs: number;
    readonly throttles: boolean;
    readonly qps: number;
    readonly burst: number;
  };
  readonly truncates: boolean;
  readonly maxBatchBytes: number;
  readonly maxEventBytes: number;
}

/** The flags of auditing that say where events go. */
export interface SinkFlags {
  readonly auditLogBatchBufferSize: number;
  readonly auditLogBatchMaxSize: number;
  readonly auditLogBatchMaxWait: number;
  readonly auditLogBatchThrottleBurst: number;
  readonly auditLogBatchThrottleEnable: boolean;
  readonly auditLogBatchThrottleQps: number;
  readonly auditLogCompress: boolean;
  readonly auditLogFormat: string;
  readonly auditLogMaxage: number;
  readonly auditLogMaxbackup: number;
  readonly auditLogMaxsize: number;
  readonly auditLogMode: string;
  readonly auditLogPath: string;
  readonly auditLogTruncateEnabled: boolean;
  readonly auditLogTruncateMaxBatchSize: number;
  readonly auditLogTruncateMaxEventSize: number;
  readonly auditWebhookBatchInitialBackoff: number;
  readonly auditWebhookBatchBufferSize: number;
  readonly auditWebhookBatchMaxSize: number;
  readonly auditWebhookBatchMaxWait: number;
  readonly auditWebhookBatchThrottleBurst: number;
  readonly auditWebhookBatchThrottleEnable: boolean;
  readonly auditWebhookBatchThrottleQps: number;
  readonly auditWebhookConfigFile: string;
  readonly auditWebhookInitialBackoff: number;
  readonly auditWebhookMode: string;
  readonly auditWebhookTruncateEnabled: boolean;
  readonly auditWebhookTruncateMaxBatchSize: number;
  readonly auditWebhookTruncateMaxEventSize: number;
}

/** By the flag or, where that has its default, by its older name, in milliseconds. */
export function webhookBackoffMs(flags: SinkFlags): number {
  const { auditWebhookInitialBackoff: backoff, auditWebhookBatchInitialBackoff: older } = flags;
  return backoff === defaultBackoffMs ? older : backoff;
}

export function logOptions(flags: SinkFlags): BackendOptions {
  return {
    mode: flags.auditLogMode,
    batch: {
      bufferSize: flags.auditLogBatchBufferSize,
      maxSize: flags.auditLogBatchMaxSize,
      maxWaitMs: flags.auditLogBatchMaxWait,
      throttles: flags.auditLogBatchThrottleEnable,
      qps: flags.auditLogBatchThrottleQps,
      burst: flags.auditLogBatchThrottleBurst,
    },
    truncates: flags.auditLogTruncateEnabled,
    maxBatchBytes: flags.auditLogTruncateMaxBatchSize,
    maxEventBytes: flags.auditLogTruncateMaxEventSize,
  };
}

export function webhookOptions(flags: SinkFlags): BackendOptions {
  return {
    mode: flags.auditWebhookMode,
    batch: {
      bufferSize: flags.auditWebhookBatchBufferSize,
      maxSize: flags.auditWebhookBatchMaxSize,
      maxWaitMs: flags.auditWebhookBatchMaxWait,
      throttles: flags.auditWebhookBatchThrottleEnable,
      qps: flags.auditWebhookBatchThrottleQps,
      burst: flags.auditWebhookBatchThrottleBurst,
    },
    truncates: flags.auditWebhookTruncateEnabled,
    maxBatchBytes: flags.auditWebhookTruncateMaxBatchSize,
    maxEventBytes: flags.auditWebhookTruncateMaxEventSize,
  };
}
