import { type Steps } from '#shared/apimachinery/slices/slices.ts';
import { FieldSet } from './field-set.ts';
import type { Managers, VersionedSet } from './managers.ts';
import { withNamedFields } from './named-fields.ts';
import { removeItems } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';
import { withinSteps, type TypedValue } from './typed-value.ts';
import type { VersionConverter } from './version-converter.ts';

export interface PruneOptions {
  /** The fields of the manager's previous apply. */
  readonly last: VersionedSet | undefined;
  /** All managers, with the fields of this apply. */
  readonly managers: Managers;
  /** The version of this apply. */
  readonly apiVersion: string;
}

/** Removes the fields that the manager applied before, does not apply now, and no other manager owns. */
export class Pruning {
  readonly #converter: VersionConverter;

  constructor(converter: VersionConverter) {
    this.#converter = converter;
  }

  *run(merged: TypedValue, { last, managers, apiVersion }: PruneOptions): Steps<TypedValue> {
    if (last === undefined || last.set.isEmpty) return merged;
    const whole = yield* withinSteps(
      'failed to convert merged object to last applied version',
      this.#converter.convert(merged, last.apiVersion),
    );
    if (whole === undefined) return merged;
    const without = removeItems(whole, withNamedFields(last.set, whole.type));
    const owned = yield* withinSteps(
      'failed add back owned items',
      this.#addBackOwned(whole, without, last.apiVersion, managers),
    );
    const pruned = yield* withinSteps('failed add back dangling items', this.#addBackDangling(whole, owned, last));
    const converted = yield* this.#converter.convert(pruned, apiVersion);
    if (converted === undefined) throw new Error(`no version ${apiVersion} to convert the pruned object to`);
    return converted;
  }

  /**
   * Restores fields that other managers own or that are applied now. The version of the pruned object is handled first.
   */
  *#addBackOwned(whole: TypedValue, pruned: TypedValue, prunedVersion: string, managers: Managers): Steps<TypedValue> {
    const owned = new Map<string, FieldSet>();
    const inOrder = [...managers.values()].toSorted(
      (a, b) => Number(b.apiVersion === prunedVersion) - Number(a.apiVersion === prunedVersion),
    );
    for (const { apiVersion, set } of inOrder)
      owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(set));
    let [merged, out] = [whole, pruned];
    for (const [apiVersion, set] of owned) {
      const both = { merged, pruned: out };
      const mergedThere = yield* this.#at(apiVersion, 'merged', both);
      const prunedThere = yield* this.#at(apiVersion, 'pruned', both);
      if (mergedThere === undefined || prunedThere === undefined) continue;
      merged = mergedThere;
      const { type } = merged;
      const all = yield* setOf(merged, `merged object at version ${apiVersion}`);
      const kept = yield* setOf(prunedThere, `pruned object at version ${apiVersion}`);
      out = removeItems(
        merged,
        withNamedFields(all, type).difference(withNamedFields(kept, type).union(withNamedFields(set, type))),
      );
    }
    return out;
  }

  #at(
    apiVersion: string,
    which: 'merged' | 'pruned',
    objects: Readonly<Record<'merged' | 'pruned', TypedValue>>,
  ): Steps<TypedValue | undefined> {
    return withinSteps(
      `failed to convert ${which} object at version ${apiVersion}`,
      this.#converter.convert(objects[which], apiVersion),
    );
  }

  /** Restores fields that no manager owns, unless this manager applied them before. */
  *#addBackDangling(whole: TypedValue, pruned: TypedValue, last: VersionedSet): Steps<TypedValue> {
    const prunedThere = yield* withinSteps(
      'failed to convert pruned object to last applied version',
      this.#converter.convert(pruned, last.apiVersion),
    );
    if (prunedThere === undefined) return whole;
    const { type } = whole;
    const left = yield* setOf(prunedThere, 'pruned object in last applied version');
    const all = yield* setOf(whole, 'merged object in last applied version');
    const gone = withNamedFields(all, type).difference(withNamedFields(left, type));
    return removeItems(whole, gone.intersection(withNamedFields(last.set, type)));
  }
}

function setOf(value: TypedValue, name: string): Steps<FieldSet> {
  return withinSteps(`failed to create field set from ${name}`, toFieldSet(value));
}
