import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import { added, negated } from '#shared/observability/exposition/allowed-labels.ts';
import { addExactly, roundedSum } from '#shared/observability/exposition/exact-sum.ts';
import type { ReadFamily } from '#shared/observability/exposition/internal-form.ts';
import { mergeRuleOf, type Family, type FamilyHead, type Sample } from '#shared/observability/metrics/family.ts';

interface MergedSample {
  sample: Sample;
  /** The exact sum of the numbers, or of those of histograms: it must not depend on the order of processes. */
  readonly parts: number[];
}

interface MergedFamily {
  readonly head: FamilyHead;
  readonly samples: Map<string, MergedSample>;
}

/** Families of several processes, made one by the rules of each. */
export class MergedFamilies {
  readonly #families = new Map<string, MergedFamily>();

  /** Adds families of a process; of one that is gone only what is summed. */
  *add(families: Iterable<ReadFamily>, isGone = false): Steps<void> {
    for (const { head, samples } of families) {
      if (isGone && !isSummed(head)) continue;
      const merged = this.#of(head);
      for (const sample of samples) {
        merge(merged, joinedKey(sample.labels), { sample, parts: [sumOf(sample.value)] });
        if (sliceIsOver()) yield;
      }
    }
  }

  /** Takes away what was added of a process that is gone. */
  *subtract(families: Iterable<ReadFamily>): Steps<void> {
    for (const { head, samples } of families) {
      if (!isSummed(head)) continue;
      const merged = this.#of(head);
      for (const { labels, value } of samples) {
        const sample = { labels, value: negated(value) };
        merge(merged, joinedKey(labels), { sample, parts: [sumOf(sample.value)] });
        if (sliceIsOver()) yield;
      }
    }
  }

  /** Adds what others have merged. */
  *addMerged(others: MergedFamilies): Steps<void> {
    for (const { head, samples } of others.#families.values()) {
      const merged = this.#of(head);
      for (const [key, { sample, parts }] of samples) {
        merge(merged, key, { sample, parts: [...parts] });
        if (sliceIsOver()) yield;
      }
    }
  }

  families(): Family[] {
    return [...this.#families.values()].map(({ head, samples }) => ({
      ...head,
      samples: () => samples.values().map(({ sample }) => sample),
    }));
  }

  #of(head: FamilyHead): MergedFamily {
    let family = this.#families.get(head.name);
    if (family === undefined) this.#families.set(head.name, (family = { head, samples: new Map() }));
    return family;
  }
}

function merge({ head, samples }: MergedFamily, key: string, other: MergedSample): void {
  const known = samples.get(key);
  if (known === undefined) {
    samples.set(key, other);
    return;
  }
  const { labels, value } = other.sample;
  const rule = mergeRuleOf(head);
  if (rule === 'sum') {
    for (const part of other.parts) addExactly(known.parts, part);
    const sum = added(known.sample.value, value);
    const exact = roundedSum(known.parts);
    known.sample = { labels, value: typeof sum === 'number' ? exact : { ...sum, sum: exact } };
  } else if (rule === 'max' && Number(value) > Number(known.sample.value)) known.sample = other.sample;
}

/** Whether processes that are gone go on counting. */
function isSummed(head: FamilyHead): boolean {
  return head.type !== 'gauge' && mergeRuleOf(head) === 'sum';
}

function sumOf(value: Sample['value']): number {
  return typeof value === 'number' ? value : value.sum;
}
