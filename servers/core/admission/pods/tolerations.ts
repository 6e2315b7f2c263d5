import { tolerationIdentity } from '#shared/api/toleration-identity.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { int64At, stringAt } from '#shared/apimachinery/object.ts';
import type { Int64 } from '#shared/apimachinery/values/int64.ts';

/**
 * Merges two lists and drops each toleration that an earlier kept one or a different later one covers
 * (pkg/util/tolerations). The number of tolerations is not limited, so tables are used instead of comparing pairs.
 */
export function mergeTolerations(first: readonly JsonObject[], second: readonly JsonObject[]): JsonObject[] {
  const all = [...first, ...second].map((item) => ({ item, identity: tolerationIdentity(item) }));
  const later = new Covers();
  const isCoveredLater = all
    .toReversed()
    .map(({ item, identity }) => {
      const covered = later.cover(item, identity);
      later.add(item, identity);
      return covered;
    })
    .toReversed();
  const before = new Covers();
  const kept = new Set<string>();
  const merged: JsonObject[] = [];
  for (const [index, { item, identity }] of all.entries()) {
    if (isCoveredLater[index] === true || kept.has(identity) || before.cover(item, undefined)) continue;
    merged.push(item);
    kept.add(identity);
    before.add(item, identity);
  }
  return merged;
}

/** Whether each toleration equals one of the list or tolerates no more than one of it. */
export function areAllCovered(tolerations: readonly JsonObject[], list: readonly JsonObject[]): boolean {
  const covers = new Covers();
  const identities = new Set<string>();
  for (const item of list) {
    const identity = tolerationIdentity(item);
    identities.add(identity);
    covers.add(item, identity);
  }
  return tolerations.every((item) => identities.has(tolerationIdentity(item)) || covers.cover(item, undefined));
}

/** The longest of the tolerations that differ only in their seconds; `next` is the second longest. */
interface Longest {
  readonly identity: string;
  readonly seconds: Int64;
  readonly next: Longest | undefined;
}

/** Tolerations by operator, key, effect and value, for lookups of those that cover another one. */
class Covers {
  readonly #longest = new Map<string, Longest>();

  add(item: JsonObject, identity: string): void {
    const [key, operator, effect] = [stringAt(item, 'key'), stringAt(item, 'operator'), stringAt(item, 'effect')];
    if (operator !== 'Exists' && operator !== 'Equal' && operator !== '') return;
    const taintKey = taintKeyOf(
      operator === 'Exists' ? 'Exists' : 'Equal',
      key,
      effect,
      operator === 'Exists' ? '' : stringAt(item, 'value'),
    );
    const seconds = effect === 'NoExecute' ? (int64At(item, 'tolerationSeconds') ?? Infinity) : Infinity;
    const best = this.#longest.get(taintKey);
    if (best === undefined || seconds > best.seconds) {
      this.#longest.set(taintKey, {
        identity,
        seconds,
        next: best === undefined || best.identity === identity ? best?.next : { ...best, next: undefined },
      });
    } else if (identity !== best.identity && (best.next === undefined || seconds > best.next.seconds)) {
      this.#longest.set(taintKey, { ...best, next: { identity, seconds, next: undefined } });
    }
  }

  /** Whether an added toleration with another identity than `except` tolerates everything that the item does. */
  cover(item: JsonObject, except: string | undefined): boolean {
    const [key, effect, value] = [stringAt(item, 'key'), stringAt(item, 'effect'), stringAt(item, 'value')];
    const isEqual = stringAt(item, 'operator') === 'Equal';
    const seconds = int64At(item, 'tolerationSeconds') ?? Infinity;
    return [effect, ''].some((of) => {
      const taintKeys = [
        taintKeyOf('Exists', key, of, ''),
        taintKeyOf('Exists', '', of, ''),
        ...(isEqual ? [taintKeyOf('Equal', key, of, value)] : []),
      ];
      return taintKeys.some((taintKey) => {
        const best = this.#longest.get(taintKey);
        const longest = best !== undefined && best.identity === except ? best.next : best;
        return longest !== undefined && longest.seconds >= seconds;
      });
    });
  }
}

function taintKeyOf(operator: string, key: string, effect: string, value: string): string {
  return JSON.stringify([operator, key, effect, value]);
}
