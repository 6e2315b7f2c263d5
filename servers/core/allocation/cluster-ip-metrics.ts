import { addressToNumber, familyOf, usableBounds, type AddressRange } from '#shared/apimachinery/net/address-range.ts';
import { inSlices, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';

/** Whether the client chose what was allocated. */
export type AllocationScope = 'static' | 'dynamic';

/** The names of all addresses that are held, and the ranges; undefined until the cache of addresses is filled. */
export type HeldAddresses = () => Promise<{ ranges: readonly AddressRange[]; names: Iterable<string> } | undefined>;

const prefix = 'kube_apiserver_clusterip_allocator_';
const durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface RangeUse {
  readonly cidr: string;
  readonly used: number;
  readonly free: number;
}

/**
 * The families of cluster addresses (pkg/registry/core/service/ipallocator/metrics.go). How many are held is counted
 * when it is shown, in the cache, so that it is right with several servers, too.
 */
export class ClusterIPMetrics {
  readonly #registry = new MetricsRegistry();
  readonly #allocations = this.#registry.counter(
    `${prefix}allocation_total`,
    '[ALPHA] Number of Cluster IPs allocations',
    ['cidr', 'scope'],
  );
  readonly #errors = this.#registry.counter(
    `${prefix}allocation_errors_total`,
    '[ALPHA] Number of errors trying to allocate Cluster IPs',
    ['cidr', 'scope'],
  );
  readonly #seconds = this.#registry.histogram(
    `${prefix}allocation_duration_seconds`,
    '[ALPHA] Duration in seconds to allocate a Cluster IP by ServiceCIDR',
    ['cidr'],
    durationBuckets,
  );
  readonly #held: HeldAddresses;
  #uses: readonly RangeUse[] = [];

  constructor(held: HeldAddresses) {
    this.#held = held;
    this.#gauge('allocated_ips', 'Gauge measuring the number of allocated IPs for Services', ({ used }) => used);
    this.#gauge('available_ips', 'Gauge measuring the number of available IPs for Services', ({ free }) => free);
  }

  families(): readonly Family[] {
    const refresh = (): Promise<void> => this.#refresh();
    return this.#registry.families().map((family) => (family.type === 'gauge' ? { ...family, refresh } : family));
  }

  /** @param startedMs by `performance.now()` */
  allocated({ cidr }: AddressRange, scope: AllocationScope, startedMs: number): void {
    this.#allocations.add(cidr, scope);
    this.#seconds.observe((performance.now() - startedMs) / 1000, cidr);
  }

  refused({ cidr }: AddressRange, scope: AllocationScope): void {
    this.#errors.add(cidr, scope);
  }

  #gauge(name: string, help: string, read: (use: RangeUse) => number): void {
    const values = (): [string[], number][] => this.#uses.map((use) => [[use.cidr], read(use)]);
    this.#registry.gauges(prefix + name, `[ALPHA] ${help}`, ['cidr'], values, { merged: 'first' });
  }

  async #refresh(): Promise<void> {
    const held = await this.#held();
    if (held !== undefined) this.#uses = await inSlices(usesOf(held.ranges, held.names));
  }
}

/** How many addresses of each range are held. Ranges may overlap. */
function* usesOf(ranges: readonly AddressRange[], names: Iterable<string>): Steps<RangeUse[]> {
  const counted = ranges.map((range) => ({ range, ...usableBounds(range), used: 0 }));
  for (const name of names) {
    const value = addressToNumber(name);
    const family = familyOf(name);
    for (const one of counted) if (one.range.family === family && value >= one.low && value <= one.high) one.used++;
    if (sliceIsOver()) yield;
  }
  return counted.map(({ range, low, high, used }) => ({
    cidr: range.cidr,
    used,
    free: Number(high - low + 1n) - used,
  }));
}
