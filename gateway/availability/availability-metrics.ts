import type { Availability } from '#gateway/apiservices/api-service.ts';
import { Counter, labelText } from '#shared/observability/metrics.ts';
import type { Family } from '#shared/observability/metrics.ts';

const gauge = 'aggregator_unavailable_apiservice';

/**
 * Metrics: which APIServices are unavailable, and how often each became unavailable
 * (kube-aggregator/pkg/controllers/status/metrics).
 */
export class AvailabilityMetrics {
  readonly #available = new Map<string, boolean>();
  readonly #losses = new Counter(
    'aggregator_unavailable_apiservice_total',
    '[ALPHA] How often an APIService became unavailable, by its name and the reason.',
    ['name', 'reason'],
  );

  /** `before` is the condition in the checked object. */
  record(name: string, before: Availability | undefined, found: Availability): void {
    const available = found.status === 'True';
    this.#available.set(name, available);
    if (!available && before?.status === 'True') this.#losses.add(name, found.reason);
  }

  forget(name: string): void {
    this.#available.delete(name);
  }

  families(): Family[] {
    return [
      this.#losses,
      {
        name: gauge,
        type: 'gauge',
        help: '[ALPHA] Whether an APIService is unavailable (1), by its name.',
        lines: () =>
          [...this.#available].map(
            ([name, available]) => `${gauge}${labelText(['name'], [name])} ${available ? 0 : 1}`,
          ),
      },
    ];
  }
}
