import type { ServerOptions } from './server-options.ts';

/** What the reference says to who gives a deprecated flag, after its name. */
export const deprecatedFlags: ReadonlyMap<keyof ServerOptions, string> = new Map([
  [
    'admissionControl',
    'Use --enable-admission-plugins or --disable-admission-plugins instead. Will be removed in a future version.',
  ],
  ['apiserverCount', 'apiserver-count is deprecated and will be removed in a future version.'],
  ['auditWebhookBatchInitialBackoff', 'Deprecated, use --audit-webhook-initial-backoff instead.'],
  ['defaultWatchCacheSize', 'watch caches are sized automatically and this flag will be removed in a future version'],
  ['enableLogsHandler', 'Log handler functionality is deprecated'],
  ['kubeletPort', 'kubelet-port is deprecated and will be removed.'],
  ['kubeletReadOnlyPort', 'kubelet-read-only-port is deprecated and will be removed.'],
]);
