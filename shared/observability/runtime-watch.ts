import { constants, monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks';
import type { Sample } from './metrics/family.ts';
import { Histogram } from './metrics/histogram.ts';

/** Upper bounds, seconds. */
export const pauseBuckets = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1];
/** Of the delays of timers; its own pace is taken off. */
const resolutionMs = 10;
const collections: ReadonlyMap<number, string> = new Map([
  [constants.NODE_PERFORMANCE_GC_MINOR, 'minor'],
  [constants.NODE_PERFORMANCE_GC_MAJOR, 'major'],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, 'incremental'],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, 'weak'],
]);

// What watches the process is one for all servers in it. It begins with the first scrape, since it wakes the process a
// hundred times a second and costs something at each collection: that is for those who look.
let loopDelay: ReturnType<typeof monitorEventLoopDelay> | undefined;
let pauses: Histogram | undefined;

/** How late timers were since the call before, seconds by quantile (0 to 1). */
export function delayOfLoop(quantiles: readonly number[]): (readonly [quantile: number, seconds: number])[] {
  if (loopDelay === undefined) {
    loopDelay = monitorEventLoopDelay({ resolution: resolutionMs });
    loopDelay.enable();
  }
  const delay = loopDelay;
  const delays = quantiles.map(
    (quantile) => [quantile, Math.max(0, delay.percentile(quantile * 100) / 1e9 - resolutionMs / 1e3)] as const,
  );
  delay.reset();
  return delays;
}

/** Pauses of collections of garbage since the first call, seconds by kind. */
export function collectionPauses(): Sample[] {
  pauses ??= watchCollections();
  return [...pauses.samples()];
}

function watchCollections(): Histogram {
  const watched = new Histogram('pauses', '', ['kind'], pauseBuckets);
  const observer = new PerformanceObserver((list) => {
    for (const { duration, detail } of list.getEntries() as unknown as readonly CollectionEntry[])
      watched.observe(duration / 1000, collections.get(detail.kind) ?? 'other');
  });
  observer.observe({ entryTypes: ['gc'] });
  return watched;
}

/** An entry of type `gc`; duration in ms. */
interface CollectionEntry {
  readonly duration: number;
  readonly detail: { readonly kind: number };
}
