import { goFloat, goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { ServerOptions } from './server-options.ts';

const modes = ['batch', 'blocking', 'blocking-strict'];
const formats = ['legacy', 'json'];
const versions = ['audit.k8s.io/v1'];

/** What both backends, the file and the webhook, are configured with. */
interface Backend {
  readonly name: 'log' | 'webhook';
  readonly mode: string;
  readonly bufferSize: number;
  readonly maxBatch: number;
  readonly throttles: boolean;
  readonly throttleQps: number;
  readonly throttleBurst: number;
  readonly maxEventSize: number;
  readonly maxBatchSize: number;
  readonly version: string;
}

/**
 * Errors of the audit flags. A backend without a file or webhook is not looked at
 * (apiserver/pkg/server/options/audit.go).
 */
export function auditErrors(options: ServerOptions): string[] {
  return [
    ...(options.auditLogPath === '' ? [] : [...backendErrors(logBackend(options)), ...logFileErrors(options)]),
    ...(options.auditWebhookConfigFile === '' ? [] : backendErrors(webhookBackend(options))),
  ];
}

function logBackend(options: ServerOptions): Backend {
  return {
    name: 'log',
    mode: options.auditLogMode,
    bufferSize: options.auditLogBatchBufferSize,
    maxBatch: options.auditLogBatchMaxSize,
    throttles: options.auditLogBatchThrottleEnable,
    throttleQps: options.auditLogBatchThrottleQps,
    throttleBurst: options.auditLogBatchThrottleBurst,
    maxEventSize: options.auditLogTruncateMaxEventSize,
    maxBatchSize: options.auditLogTruncateMaxBatchSize,
    version: options.auditLogVersion,
  };
}

function webhookBackend(options: ServerOptions): Backend {
  return {
    name: 'webhook',
    mode: options.auditWebhookMode,
    bufferSize: options.auditWebhookBatchBufferSize,
    maxBatch: options.auditWebhookBatchMaxSize,
    throttles: options.auditWebhookBatchThrottleEnable,
    throttleQps: options.auditWebhookBatchThrottleQps,
    throttleBurst: options.auditWebhookBatchThrottleBurst,
    maxEventSize: options.auditWebhookTruncateMaxEventSize,
    maxBatchSize: options.auditWebhookTruncateMaxBatchSize,
    version: options.auditWebhookVersion,
  };
}

function backendErrors(backend: Backend): string[] {
  return [...batchErrors(backend), ...truncationErrors(backend), ...versionErrors(backend.version)];
}

function batchErrors(backend: Backend): string[] {
  const { name, mode, throttles } = backend;
  if (!modes.includes(mode)) return [`invalid audit ${name} mode ${mode}, allowed modes are ${goQuote(modes.join())}`];
  if (mode !== 'batch') return [];
  const positive: readonly (readonly [string, number])[] = [
    ['buffer size', backend.bufferSize],
    ['max batch size', backend.maxBatch],
    ...(throttles
      ? ([
          ['throttle QPS', backend.throttleQps],
          ['throttle burst', backend.throttleBurst],
        ] as const)
      : []),
  ];
  return positive
    .filter(([, value]) => value <= 0)
    .map(([what, value]) => `invalid audit batch ${name} ${what} ${goFloat(value)}, must be a positive number`);
}

function truncationErrors({ name, maxEventSize, maxBatchSize }: Backend): string[] {
  if (maxEventSize <= 0)
    return [`invalid audit truncate ${name} max event size ${maxEventSize}, must be a positive number`];
  if (maxBatchSize >= maxEventSize) return [];
  return [
    `invalid audit truncate ${name} max batch size ${maxBatchSize}, must be greater than max event size (${maxEventSize})`,
  ];
}

function versionErrors(version: string): string[] {
  if (version.split('/').length > 2) return [`unexpected GroupVersion string: ${version}`];
  if (versions.includes(version)) return [];
  return [`invalid group version, allowed versions are [${versions.map((known) => goQuote(known)).join(' ')}]`];
}

function logFileErrors(options: ServerOptions): string[] {
  const limits = {
    '--audit-log-maxage': options.auditLogMaxage,
    '--audit-log-maxbackup': options.auditLogMaxbackup,
    '--audit-log-maxsize': options.auditLogMaxsize,
  };
  return [
    ...(formats.includes(options.auditLogFormat)
      ? []
      : [`invalid audit log format ${options.auditLogFormat}, allowed formats are ${goQuote(formats.join())}`]),
    ...Object.entries(limits)
      .filter(([, value]) => value < 0)
      .map(([flag, value]) => `${flag} ${value} can't be a negative number`),
  ];
}
