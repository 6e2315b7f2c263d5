import { Counter, type Count } from '#shared/observability/metrics/counter.ts';
import { exponentialBuckets, Histogram, type Observations } from '#shared/observability/metrics/histogram.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import type { Filter } from '#shared/request/request-context.ts';

const accessBuckets = exponentialBuckets(0.001, 2, 15);

/** A filter that takes longer is told in the line of the request (filterlatency.go). */
const longMs = 100;
const filterSeconds = processRegistry.add(
  new Histogram(
    'apiserver_request_filter_duration_seconds',
    '[ALPHA] Request filter latency distribution in seconds, for each filter type',
    ['filter'],
    [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 5, 10, 15, 30],
  ),
);
const users = processRegistry.add(
  new Counter('authenticated_user_requests', '[ALPHA] Counter of authenticated requests broken out by username.', [
    'username',
  ]),
);

/** Attempts by result, and their durations (apiserver/pkg/endpoints/filters/metrics.go). */
class Attempts {
  readonly #count: Counter;
  readonly #seconds: Histogram;
  readonly #seen = new Map<string, { readonly count: Count; readonly seconds: Observations }>();

  constructor(count: readonly [name: string, help: string], seconds: readonly [name: string, help: string]) {
    this.#count = processRegistry.add(new Counter(...count, ['result']));
    this.#seconds = processRegistry.add(new Histogram(...seconds, ['result'], accessBuckets));
  }

  ended(result: string, startedMs: number): void {
    let seen = this.#seen.get(result);
    if (seen === undefined) {
      seen = { count: this.#count.of(result), seconds: this.#seconds.of(result) };
      this.#seen.set(result, seen);
    }
    seen.count.value++;
    seen.seconds.observe((performance.now() - startedMs) / 1000);
  }
}

export const authenticationAttempts = new Attempts(
  ['authentication_attempts', '[ALPHA] Counter of authenticated attempts.'],
  ['authentication_duration_seconds', '[ALPHA] Authentication duration in seconds broken out by result.'],
);
export const authorizationAttempts = new Attempts(
  [
    'authorization_attempts_total',
    "[ALPHA] Counter of authorization attempts broken down by result. It can be either 'allowed', 'denied', 'no-opinion' or 'error'.",
  ],
  ['authorization_duration_seconds', '[ALPHA] Authorization duration in seconds broken out by result.'],
);

const namedUsers: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Counts a user by name only where it is one of a few; others would be too many. */
export function countUser(name: string): void {
  users.add(namedUsers.has(name) ? name : name.includes('@') ? 'email_id' : 'other');
}

/** Observes how long requests take from the beginning of a filter to that of the next timed one. */
export function timedFilter(name: string, filter: Filter | undefined): Filter | undefined {
  if (filter === undefined) return undefined;
  const seconds = filterSeconds.of(name);
  return (next) =>
    filter((context) => {
      const nowMs = performance.now();
      const tookMs = nowMs - context.filterStartedMs;
      context.filterStartedMs = nowMs;
      seconds.observe(tookMs / 1000);
      if (tookMs > longMs) context.loggedMs?.push([`fl_${name}`, tookMs]);
      return next(context);
    });
}

/** {@link timedFilter} for the first of them, with which the time begins. */
export function firstTimedFilter(name: string, filter: Filter): Filter {
  const timed = timedFilter(name, filter) as Filter;
  return (next) => {
    const begun = timed(next);
    return (context) => {
      context.filterStartedMs = performance.now();
      return begun(context);
    };
  };
}
