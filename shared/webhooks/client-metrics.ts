import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const sizeBuckets = [64, 256, 512, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216];
const requests = processRegistry.counter(
  'rest_client_requests_total',
  '[ALPHA] Number of HTTP requests, partitioned by status code, method, and host.',
  ['code', 'method', 'host'],
);
const retries = processRegistry.counter(
  'rest_client_request_retries_total',
  '[ALPHA] Number of request retries, partitioned by status code, verb, and host.',
  ['code', 'verb', 'host'],
);
const seconds = processRegistry.histogram(
  'rest_client_request_duration_seconds',
  '[ALPHA] Request latency in seconds. Broken down by verb, and host.',
  ['verb', 'host'],
  [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60],
);
const requestBytes = processRegistry.histogram(
  'rest_client_request_size_bytes',
  '[ALPHA] Request size in bytes. Broken down by verb and host.',
  ['verb', 'host'],
  sizeBuckets,
);
const answerBytes = processRegistry.histogram(
  'rest_client_response_size_bytes',
  '[ALPHA] Response size in bytes. Broken down by verb and host.',
  ['verb', 'host'],
  sizeBuckets,
);

/** Webhooks are asked by POST alone. */
const verb = 'POST';

/**
 * Counts one attempt of a call (component-base/metrics/prometheus/restclient).
 * @param status of the answer; undefined where none came
 */
export function countAttempt(host: string, status: number | undefined, bytes: number, isRetry: boolean): void {
  const code = status === undefined ? '<error>' : String(status);
  requests.add(code, verb, host);
  if (isRetry) retries.add(code, verb, host);
  if (bytes > 0) requestBytes.observe(bytes, verb, host);
}

/** Observes a call with all its attempts; `bytes` is the length of the answer, undefined where none came. */
export function observeCall(host: string, startedMs: number, bytes: number | undefined): void {
  seconds.observe((performance.now() - startedMs) / 1000, verb, host);
  if (bytes !== undefined) answerBytes.observe(bytes, verb, host);
}
