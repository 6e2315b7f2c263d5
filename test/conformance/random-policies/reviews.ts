import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { isNew, reviewForm } from '#test/conformance/webhooks/comparable.ts';
import type { SeenReview } from '#test/conformance/webhooks/webhook-server.ts';

/** Reviews by the names of scenarios, those of a webhook in their order. */
export type Reviews = ReadonlyMap<string, readonly JsonValue[]>;

/** Validating webhooks are called side by side: theirs come after all others, webhook by webhook. */
const key = ({ path }: SeenReview): string => (path.includes('/m') ? '' : path);

export function byScenario(seen: readonly SeenReview[]): Reviews {
  const grouped = new Map<string, SeenReview[]>();
  for (const one of seen) {
    const [name = ''] = /^s\d+x\d+/.exec(stringAt(one.review, 'request', 'name') ?? '') ?? [];
    grouped.set(name, [...(grouped.get(name) ?? []), one]);
  }
  return new Map(
    [...grouped].map(([name, of]) => [
      name,
      of
        .toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0))
        .map(({ path, review }) => ({ path, review: reviewForm(review) }))
        .filter(isNew),
    ]),
  );
}
