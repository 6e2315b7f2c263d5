import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { joinedKey } from '#shared/apimachinery/tuple-map.ts';
import { added } from '#shared/observability/exposition/allowed-labels.ts';
import type { ReadFamily } from '#shared/observability/exposition/internal-form.ts';
import { mergeRuleOf, type Family, type FamilyHead, type Sample } from '#shared/observability/metrics/family.ts';

/** Families of several processes, made one by the rules of each. */
export class MergedFamilies {
  readonly #families = new Map<string, { readonly head: FamilyHead; readonly samples: Map<string, Sample> }>();

  /** Adds families of a process; of one that is gone only what is summed. */
  *add(families: Iterable<ReadFamily>, isGone = false): Steps<void> {
    for (const { head, samples } of families) {
      if (isGone && (head.type === 'gauge' || mergeRuleOf(head) !== 'sum')) continue;
      const merged = this.#of(head);
      for (const sample of samples) {
        const key = joinedKey(sample.labels);
        const known = merged.samples.get(key);
        merged.samples.set(key, known === undefined ? sample : mergedSample(head, known, sample));
        if (sliceIsOver()) yield;
      }
    }
  }

  read(): ReadFamily[] {
    return [...this.#families.values()].map(({ head, samples }) => ({ head, samples: [...samples.values()] }));
  }

  families(): Family[] {
    return [...this.#families.values()].map(({ head, samples }) => ({ ...head, samples: () => samples.values() }));
  }

  #of(head: FamilyHead): { readonly head: FamilyHead; readonly samples: Map<string, Sample> } {
    let family = this.#families.get(head.name);
    if (family === undefined) this.#families.set(head.name, (family = { head, samples: new Map() }));
    return family;
  }
}

function mergedSample(head: FamilyHead, known: Sample, { labels, value }: Sample): Sample {
  const rule = mergeRuleOf(head);
  if (rule === 'sum') return { labels, value: added(known.value, value) };
  return rule === 'max' && Number(value) > Number(known.value) ? { labels, value } : known;
}
