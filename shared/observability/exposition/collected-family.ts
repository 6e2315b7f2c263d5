import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { sortInSteps } from '#shared/apimachinery/slices/sort-in-steps.ts';
import type { Family, FamilyHead, Sample } from '#shared/observability/metrics/family.ts';
import { LabelPrinter } from './label-text.ts';

/** A family with its samples in the order in which they are shown. */
export interface CollectedFamily {
  readonly head: FamilyHead;
  readonly samples: readonly Sample[];
  readonly labels: LabelPrinter;
}

/** Families in alphabetical order with their samples sorted; those without samples are not shown. */
export function* collectFamilies(families: Iterable<Family>): Steps<CollectedFamily[]> {
  const collected: CollectedFamily[] = [];
  for (const family of families) {
    const samples = [...family.samples()];
    if (samples.length > 0) {
      const labels = new LabelPrinter(family.labelNames);
      yield* sortInSteps(samples, (a, b) => labels.compare(a.labels, b.labels));
      collected.push({ head: family, samples, labels });
    }
    if (sliceIsOver()) yield;
  }
  return collected.sort((a, b) => (a.head.name < b.head.name ? -1 : 1));
}
