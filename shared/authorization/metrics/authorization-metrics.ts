import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family, Sample } from '#shared/observability/metrics/family.ts';
import { Histogram } from '#shared/observability/metrics/histogram.ts';

/** What became of one request to a webhook. */
export type CallResult = 'success' | 'error' | 'timeout' | 'canceled';

/** Decisions of one authorizer, which it counts itself: no look-up for each request. */
export interface DecisionCount {
  allowed: number;
  denied: number;
}

/** What became of the match conditions of a webhook. */
export interface EvaluatedConditions {
  readonly isExcluded: boolean;
  readonly errors: readonly string[];
}

const callLabels = ['name', 'result'];
const conditionLabels = ['name', 'type'];
const callSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const conditionSeconds = [0.001, 0.005, 0.01, 0.025, 0.1, 0.2, 0.25];

/** The metrics of the authorizers of a process; authorizers that a reload makes anew go on counting. */
export class AuthorizationMetrics {
  readonly #decisions = new Map<string, DecisionCount & { readonly type: string; readonly name: string }>();
  readonly #calls = new Counter(
    'apiserver_authorization_webhook_evaluations_total',
    '[ALPHA] Requests to authorization webhooks by their results.',
    callLabels,
  );
  readonly #callSeconds = new Histogram(
    'apiserver_authorization_webhook_duration_seconds',
    '[ALPHA] Durations of requests to authorization webhooks, in seconds.',
    callLabels,
    callSeconds,
  );
  readonly #failedOpen = new Counter(
    'apiserver_authorization_webhook_evaluations_fail_open_total',
    '[ALPHA] Questions that went on to other authorizers, as a webhook failed.',
    callLabels,
  );
  readonly #conditionErrors = new Counter(
    'apiserver_authorization_match_condition_evaluation_errors_total',
    '[ALPHA] Questions for which match conditions of a webhook failed.',
    conditionLabels,
  );
  readonly #exclusions = new Counter(
    'apiserver_authorization_match_condition_exclusions_total',
    '[ALPHA] Questions that match conditions kept from a webhook.',
    conditionLabels,
  );
  readonly #conditionSeconds = new Histogram(
    'apiserver_authorization_match_condition_evaluation_seconds',
    '[ALPHA] Durations of evaluations of match conditions, in seconds.',
    conditionLabels,
    conditionSeconds,
  );

  /** The count of an authorizer; the same for all authorizers of a type and name. */
  decisionsOf(type: string, name: string): DecisionCount {
    const key = `${type} ${name}`;
    let count = this.#decisions.get(key);
    if (count === undefined) this.#decisions.set(key, (count = { type, name, allowed: 0, denied: 0 }));
    return count;
  }

  called(name: string, result: CallResult, seconds: number): void {
    this.#calls.add(name, result);
    this.#callSeconds.observe(seconds, name, result);
  }

  failedOpen(name: string, result: CallResult): void {
    this.#failedOpen.add(name, result);
  }

  conditionsEvaluated(name: string, seconds: number, { isExcluded, errors }: EvaluatedConditions): void {
    this.#conditionSeconds.observe(seconds, name, 'Webhook');
    if (errors.length > 0) this.#conditionErrors.add(name, 'Webhook');
    if (isExcluded) this.#exclusions.add(name, 'Webhook');
  }

  families(): readonly Family[] {
    return [
      {
        name: 'apiserver_authorization_decisions_total',
        type: 'counter',
        help: '[ALPHA] Final decisions by authorizer.',
        labelNames: ['type', 'name', 'decision'],
        samples: () => this.#decisionSamples(),
      },
      this.#calls,
      this.#callSeconds,
      this.#failedOpen,
      this.#conditionErrors,
      this.#exclusions,
      this.#conditionSeconds,
    ];
  }

  *#decisionSamples(): Iterable<Sample> {
    for (const { type, name, allowed, denied } of this.#decisions.values())
      for (const [decision, count] of Object.entries({ allowed, denied }))
        if (count > 0) yield { labels: [type, name, decision], value: count };
  }
}
