import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { exponentialBuckets, Histogram } from '#shared/observability/metrics/histogram.ts';

const sliBuckets = [0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];
const byRequest = ['verb', 'group', 'version', 'resource', 'subresource', 'scope', 'component'];

/** The families of requests (apiserver/pkg/endpoints/metrics, apiserver/pkg/endpoints/handlers/metrics). */
export class RequestFamilies {
  readonly total = new Counter(
    'apiserver_request_total',
    '[STABLE] Counter of apiserver requests broken out for each verb, dry run value, group, version, resource, scope, component, and HTTP response code.',
    ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component', 'code'],
  );
  readonly seconds = new Histogram(
    'apiserver_request_duration_seconds',
    '[STABLE] Response latency distribution in seconds for each verb, dry run value, group, version, resource, subresource, scope and component.',
    ['verb', 'dry_run', 'group', 'version', 'resource', 'subresource', 'scope', 'component'],
    [0.005, 0.025, ...sliBuckets],
  );
  readonly sliSeconds = new Histogram(
    'apiserver_request_sli_duration_seconds',
    '[ALPHA] Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
    byRequest,
    sliBuckets,
  );
  readonly answerBytes = new Histogram(
    'apiserver_response_sizes',
    '[STABLE] Response size distribution in bytes for each group, version, verb, resource, subresource, scope and component.',
    byRequest,
    exponentialBuckets(1000, 10, 7),
  );
  /** As in the reference, nothing is ever observed: the family shows which values were sent. */
  readonly fieldValidations = new Histogram(
    'field_validation_request_duration_seconds',
    '[ALPHA] Response latency distribution in seconds for each field validation value',
    ['field_validation'],
    sliBuckets,
  );
  readonly terminations = new Counter(
    'apiserver_request_terminations_total',
    '[ALPHA] Number of requests which apiserver terminated in self-defense.',
    [...byRequest, 'code'],
  );
  readonly aborts = new Counter(
    'apiserver_request_aborts_total',
    '[ALPHA] Number of requests which apiserver aborted possibly due to a timeout, for each group, version, verb, resource, subresource and scope',
    ['verb', 'group', 'version', 'resource', 'subresource', 'scope'],
  );

  readonly postTimeouts = new Counter(
    'apiserver_request_post_timeout_total',
    '[ALPHA] Tracks the activity of the request handlers after the associated requests have been timed out by the apiserver',
    ['source', 'status'],
  );
  readonly ownRequests = new Counter(
    'apiserver_selfrequest_total',
    '[ALPHA] Counter of apiserver self-requests broken out for each verb, API resource and subresource.',
    ['verb', 'group', 'resource', 'subresource'],
  );

  all(): Family[] {
    const { total, seconds, sliSeconds, answerBytes, fieldValidations } = this;
    const { terminations, aborts, postTimeouts, ownRequests } = this;
    const slo: Family = {
      ...headOfSlo,
      labelNames: sliSeconds.labelNames,
      buckets: sliSeconds.buckets,
      samples: () => sliSeconds.samples(),
    };
    const ended = [terminations, aborts, postTimeouts, ownRequests];
    return [total, seconds, sliSeconds, slo, answerBytes, fieldValidations, ...ended];
  }
}

/** The former name of the family of SLI durations, hidden unless a flag shows it. */
const headOfSlo = {
  name: 'apiserver_request_slo_duration_seconds',
  type: 'histogram',
  help: '[ALPHA] (Deprecated since 1.27.0) Response latency distribution (not counting webhook duration and priority & fairness queue wait times) in seconds for each verb, group, version, resource, subresource, scope and component.',
} as const;
