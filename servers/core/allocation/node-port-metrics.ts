import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import type { AllocationScope } from './cluster-ip-metrics.ts';

const prefix = 'kube_apiserver_nodeport_allocator_';

/** The families of node ports (pkg/registry/core/service/portallocator/metrics.go). */
export class NodePortMetrics {
  readonly #registry = new MetricsRegistry();
  readonly #allocations = this.#registry.counter(
    `${prefix}allocation_total`,
    '[ALPHA] Number of NodePort allocations',
    ['scope'],
  );
  readonly #errors = this.#registry.counter(
    `${prefix}allocation_errors_total`,
    '[ALPHA] Number of errors trying to allocate NodePort',
    ['scope'],
  );
  readonly #size: number;
  #used: number | undefined;

  /** @param size how many ports the range has */
  constructor(size: number) {
    this.#size = size;
    const gauge = (name: string, help: string, read: (used: number) => number): void => {
      const value = (): number => (this.#used === undefined ? 0 : read(this.#used));
      this.#registry.gauge(prefix + name, `[ALPHA] ${help}`, value, 'max');
    };
    gauge('allocated_ports', 'Gauge measuring the number of allocated NodePorts for Services', (used) => used);
    gauge(
      'available_ports',
      'Gauge measuring the number of available NodePorts for Services',
      (used) => this.#size - used,
    );
  }

  families(): readonly Family[] {
    return this.#registry.families();
  }

  /** So many ports were allocated when the bitmap was read or written last. */
  seen(used: number): void {
    this.#used = used;
  }

  /** Counts an allocation, and passes its outcome on. */
  async counted<T>(scope: AllocationScope, allocation: () => Promise<T>): Promise<T> {
    try {
      const allocated = await allocation();
      this.#allocations.add(scope);
      return allocated;
    } catch (error) {
      this.#errors.add(scope);
      throw error;
    }
  }
}
