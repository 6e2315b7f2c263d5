import type { AdmissionOperation } from '#shared/admission/contract/admission.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';
import { CallingWebhookError, WebhookDenial } from './webhook-failure.ts';

/** The label `type` of webhooks. */
export type WebhookType = 'admit' | 'validating';

const seconds = processRegistry.histogram(
  'apiserver_admission_webhook_admission_duration_seconds',
  '[STABLE] Admission webhook latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
  ['name', 'type', 'operation', 'rejected'],
  [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25],
);
const requests = processRegistry.counter(
  'apiserver_admission_webhook_request_total',
  '[ALPHA] Admission webhook request total, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify whether the request was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ['name', 'type', 'operation', 'code', 'rejected'],
);
const rejections = processRegistry.counter(
  'apiserver_admission_webhook_rejection_count',
  '[ALPHA] Admission webhook rejection count, identified by name and broken out for each admission type (validating or admit) and operation. Additional labels specify an error type (calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) and optionally a non-zero rejection code if the webhook rejects the request with an HTTP status code (honored by the apiserver when the code is greater or equal to 400). Codes greater than 600 are truncated to 600, to keep the metrics cardinality bounded.',
  ['name', 'type', 'operation', 'error_type', 'rejection_code'],
);
const failedOpen = processRegistry.counter(
  'apiserver_admission_webhook_fail_open_count',
  '[ALPHA] Admission webhook fail open count, identified by name and broken out for each admission type (validating or admit).',
  ['name', 'type'],
);

const maxCode = 600;

interface CallResult {
  readonly code: number;
  /** Of a call that rejected its request. */
  readonly errorType?: 'calling_webhook_error' | 'no_error' | 'apiserver_internal_error';
}

/**
 * Counts a call at its end (apiserver/pkg/admission/metrics), also where the failure policy ignores its error.
 * @param error what the call threw
 */
export function countCall(
  webhook: AdmissionWebhook,
  type: WebhookType,
  operation: AdmissionOperation,
  startedMs: number,
  error: unknown,
): void {
  const { name } = webhook;
  const { code, errorType } = resultOf(webhook, error);
  const shownCode = String(Math.min(code, maxCode));
  const rejected = String(errorType !== undefined);
  if (errorType !== undefined) rejections.add(name, type, operation, errorType, shownCode);
  else if (error !== undefined) failedOpen.add(name, type);
  requests.add(name, type, operation, shownCode, rejected);
  seconds.observe((performance.now() - startedMs) / 1000, name, type, operation, rejected);
}

function resultOf({ failurePolicy }: AdmissionWebhook, error: unknown): CallResult {
  if (error === undefined) return { code: 200 };
  if (error instanceof WebhookDenial) return { code: error.code, errorType: 'no_error' };
  if (!(error instanceof CallingWebhookError)) return { code: 0, errorType: 'apiserver_internal_error' };
  return failurePolicy === 'Ignore' ? { code: error.code } : { code: error.code, errorType: 'calling_webhook_error' };
}
