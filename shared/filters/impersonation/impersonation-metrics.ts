import type { Authorization, Authorizer, AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { exponentialBuckets } from '#shared/observability/metrics/histogram.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';

const labelNames = ['mode', 'decision'];
const buckets = exponentialBuckets(0.001, 2, 15);
const attempts = processRegistry.counter(
  'apiserver_impersonation_attempts_total',
  '[ALPHA] Total number of impersonation attempts split by mode and decision.',
  labelNames,
);
const attemptSeconds = processRegistry.histogram(
  'apiserver_impersonation_attempts_duration_seconds',
  '[ALPHA] Latency of impersonation attempts in seconds split by mode and decision.',
  labelNames,
  buckets,
);
const checks = processRegistry.counter(
  'apiserver_impersonation_authorization_attempts_total',
  '[ALPHA] Total number of authorization checks made by the impersonation handler split by mode and decision.',
  labelNames,
);
const checkSeconds = processRegistry.histogram(
  'apiserver_impersonation_authorization_attempts_duration_seconds',
  '[ALPHA] Latency of authorization checks made by the impersonation handler in seconds split by mode and decision.',
  labelNames,
  buckets,
);

/**
 * Counts an attempt (apiserver/pkg/endpoints/filters/impersonation/metrics).
 * @param mode that allowed it, empty for the older one; undefined if none did
 */
export function countImpersonation(mode: string | undefined, startedMs: number): void {
  const labels = mode === undefined ? ['', 'denied'] : [mode || 'legacy', 'allowed'];
  attempts.at(labels).value++;
  attemptSeconds.at(labels).observe((performance.now() - startedMs) / 1000);
}

/** Counts what an authorizer is asked for impersonation. */
export function countedChecks(authorizer: Authorizer): Authorizer {
  return {
    async authorize(attributes: AuthorizerAttributes): Promise<Authorization> {
      const startedMs = performance.now();
      const answer = await authorizer.authorize(attributes);
      const labels = [modeOf(attributes.verb), answer.decision === 'allow' ? 'allowed' : 'denied'];
      checks.at(labels).value++;
      checkSeconds.at(labels).observe((performance.now() - startedMs) / 1000);
      return answer;
    },
  };
}

/** The mode whose verb it is: `impersonate:MODE` or `impersonate-on:MODE:VERB`. */
function modeOf(verb: string): string {
  return /^impersonate(?:-on)?:([^:]+)/.exec(verb)?.[1] ?? 'legacy';
}
