import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Family } from './metrics/family.ts';
import { Histogram } from './metrics/histogram.ts';
import { MetricsRegistry } from './metrics/registry.ts';
import { residentBytes } from './resident-bytes.ts';

const pauseBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Of the delays of timers; its own pace is taken off. */
const resolutionMs = 10;
const collections: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak'],
]);

/** An entry of type `gc`; duration in ms. */
interface CollectionEntry {
  readonly duration: number;
  readonly detail: { readonly kind: number };
}

/**
 * Families of our own about Node.js in this process: V8's heap, the pauses of its collections, and how late the event
 * loop is. A gateway shows those of each process, by `process`.
 */
export function runtimeMetrics(process: string): readonly Family[] {
  const registry = new MetricsRegistry();
  const of = ['process'];
  const gauge = (name: string, help: string, read: () => number | undefined): void =>
    registry.gauges(
      `quarterdeck_${name}`,
      `[ALPHA] ${help}`,
      of,
      () => {
        const value = read();
        return value === undefined ? [] : [[[process], value]];
      },
      'first',
    );
  gauge('process_resident_memory_bytes', 'Resident memory of each process, bytes.', residentBytes);
  gauge('heap_used_bytes', "Bytes in use in V8's heap.", () => getHeapStatistics().used_heap_size);
  gauge('heap_total_bytes', "Bytes that V8's heap has from the system.", () => getHeapStatistics().total_heap_size);
  gauge('heap_limit_bytes', "The most bytes that V8's heap may have.", () => getHeapStatistics().heap_size_limit);
  gauge(
    'external_bytes',
    'Bytes outside of the heap that objects in it hold.',
    () => getHeapStatistics().external_memory,
  );
  addLoopDelay(registry, process);
  registry.add(collectionPauses(process));
  return registry.families();
}

/** Quantiles of how late timers of the event loop were since the last time that metrics were shown. */
function addLoopDelay(registry: MetricsRegistry, process: string): void {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs });
  registry.gauges(
    'quarterdeck_event_loop_delay_seconds',
    '[ALPHA] How late the event loop was since the last scrape, by quantile.',
    ['process', 'quantile'],
    () => {
      // From the first scrape on: it wakes the process a hundred times a second, which is for those who look.
      delay.enable();
      const secondsAt = (percent: number): number => Math.max(0, delay.percentile(percent) / 1e9 - resolutionMs / 1e3);
      const values = [50, 90, 99, 100].map(
        (percent) => [[process, String(percent / 100)], secondsAt(percent)] as const,
      );
      delay.reset();
      return values;
    },
    'first',
  );
}

function collectionPauses(process: string): Family {
  const pauses = new Histogram(
    'quarterdeck_gc_pause_seconds',
    "[ALPHA] Pauses of V8's collections of garbage, by kind.",
    ['process', 'kind'],
    pauseBuckets,
  );
  const observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as unknown as readonly CollectionEntry[])
      pauses.observe(duration / 1000, process, collections.get(detail.kind) ?? 'other');
  });
  observer.observe({ entryTypes: ['gc'] });
  return pauses;
}
