import type { Availability } from '#gateway/apiservices/api-service.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';

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
        name: 'aggregator_unavailable_apiservice',
        type: 'gauge',
        help: '[ALPHA] Whether an APIService is unavailable (1), by its name.',
        labelNames: ['name'],
        samples: () => [...this.#available].map(([name, available]) => ({ labels: [name], value: available ? 0 : 1 })),
      },
    ];
  }
}
