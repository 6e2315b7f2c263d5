import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { FieldSet } from './field-set.ts';
import type { Managers, VersionedSet } from './managers.ts';
import { withNamedFields } from './named-fields.ts';
import { removeItems } from './remove-items.ts';
import { toFieldSet } from './to-field-set.ts';
import type { TypedValue } from './typed-value.ts';
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

  run(merged: TypedValue, { last, managers, apiVersion }: PruneOptions): TypedValue {
    if (last === undefined || last.set.isEmpty) return merged;
    const whole = this.#converter.convert(merged, last.apiVersion);
    if (whole === undefined) return merged;
    const without = removeItems(whole, withNamedFields(last.set, whole.type));
    const owned = this.#addBackOwned(whole, without, last.apiVersion, managers);
    const pruned = this.#addBackDangling(whole, owned, last);
    const converted = this.#converter.convert(pruned, apiVersion);
    if (converted === undefined) throw new Error(`no version ${apiVersion} to convert the pruned object to`);
    return converted;
  }

  /**
   * Restores fields that other managers own or that are applied now. The version of the pruned object is handled first.
   */
  #addBackOwned(whole: TypedValue, pruned: TypedValue, prunedVersion: string, managers: Managers): TypedValue {
    const owned = new Map<string, FieldSet>();
    const inOrder = [...managers.values()].toSorted(
      (a, b) => Number(b.apiVersion === prunedVersion) - Number(a.apiVersion === prunedVersion),
    );
    for (const { apiVersion, set } of inOrder)
      owned.set(apiVersion, (owned.get(apiVersion) ?? FieldSet.empty).union(set));
    let [merged, out] = [whole, pruned];
    for (const [apiVersion, set] of owned) {
      const mergedThere = this.#converter.convert(merged, apiVersion);
      const prunedThere = this.#converter.convert(out, apiVersion);
      if (mergedThere === undefined || prunedThere === undefined) continue;
      merged = mergedThere;
      const { type } = merged;
      const kept = withNamedFields(atOnce(toFieldSet(prunedThere)), type).union(withNamedFields(set, type));
      out = removeItems(merged, withNamedFields(atOnce(toFieldSet(merged)), type).difference(kept));
    }
    return out;
  }

  /** Restores fields that no manager owns, unless this manager applied them before. */
  #addBackDangling(whole: TypedValue, pruned: TypedValue, last: VersionedSet): TypedValue {
    const prunedThere = this.#converter.convert(pruned, last.apiVersion);
    if (prunedThere === undefined) return whole;
    const { type } = whole;
    const gone = withNamedFields(atOnce(toFieldSet(whole)), type).difference(
      withNamedFields(atOnce(toFieldSet(prunedThere)), type),
    );
    return removeItems(whole, gone.intersection(withNamedFields(last.set, type)));
  }
}
