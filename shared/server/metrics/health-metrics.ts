import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { gaugeFamily } from '#shared/observability/metrics/gauge.ts';

/** Results of health checks, served at `/metrics/slis` (component-base/metrics/prometheus/slis). */
export class HealthMetrics {
  readonly #total = new Counter(
    'kubernetes_healthchecks_total',
    '[STABLE] This metric records the results of all healthcheck.',
    ['name', 'type', 'status'],
  );
  readonly #byCheck = new TupleMap<{ readonly labels: readonly string[]; isHealthy: boolean }>(2);
  readonly #all: { readonly labels: readonly string[]; isHealthy: boolean }[] = [];

  /** Forgets the results so far. */
  reset(): void {
    this.#byCheck.clear();
    this.#all.length = 0;
  }

  observe(name: string, endpoint: string, isHealthy: boolean): void {
    this.#total.add(name, endpoint, isHealthy ? 'success' : 'error');
    const labels = [name, endpoint];
    const last = this.#byCheck.get(labels);
    if (last !== undefined) last.isHealthy = isHealthy;
    else {
      const first = { labels, isHealthy };
      this.#byCheck.set(labels, first);
      this.#all.push(first);
    }
  }

  families(): Family[] {
    const last = gaugeFamily(
      {
        name: 'kubernetes_healthcheck',
        help: '[STABLE] This metric records the result of a single healthcheck.',
        labelNames: ['name', 'type'],
      },
      () => this.#all.map(({ labels, isHealthy }) => [labels, isHealthy ? 1 : 0]),
    );
    return [{ ...last, reset: () => this.reset() }, this.#total];
  }
}
