import { getHeapStatistics } from 'node:v8';
import type { Family } from './metrics/family.ts';
import { MetricsRegistry } from './metrics/registry.ts';
import { residentBytes } from './resident-bytes.ts';
import { collectionPauses, delayOfLoop, pauseBuckets } from './runtime-watch.ts';

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
      { merged: 'first', reset: 'never' },
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
  registry.add(pausesOf(process));
  return registry.families();
}

/** Quantiles of how late timers of the event loop were since the last time that metrics were shown. */
function addLoopDelay(registry: MetricsRegistry, process: string): void {
  registry.gauges(
    'quarterdeck_event_loop_delay_seconds',
    '[ALPHA] How late the event loop was since the last scrape, by quantile.',
    ['process', 'quantile'],
    () => delayOfLoop([0.5, 0.9, 0.99, 1]).map(([quantile, seconds]) => [[process, String(quantile)], seconds]),
    { merged: 'first', reset: 'never' },
  );
}

function pausesOf(process: string): Family {
  return {
    name: 'quarterdeck_gc_pause_seconds',
    type: 'histogram',
    help: "[ALPHA] Pauses of V8's collections of garbage since the first scrape, by kind.",
    labelNames: ['process', 'kind'],
    buckets: pauseBuckets,
    samples: () => collectionPauses().map(({ labels, value }) => ({ labels: [process, ...labels], value })),
  };
}
