import { equalValues } from '#shared/apimachinery/schema/value-order.ts';
import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { filteredComparison, type Comparison } from './change-level.ts';
import { compareTyped } from './compare-typed.ts';
import { asFilter, type FieldFilter } from './field-filter.ts';
import { FieldSet } from './field-set.ts';
import { ConflictError, type Conflict, type Managers, type VersionedSet } from './managers.ts';
import { mergeTyped } from './merge-typed.ts';
import { Pruning } from './prune.ts';
import { reconcileFieldSet } from './reconcile-field-set.ts';
import { toFieldSet } from './to-field-set.ts';
import { withinSteps, type TypedValue } from './typed-value.ts';
import type { VersionConverter } from './version-converter.ts';

export interface UpdaterOptions {
  readonly converter: VersionConverter;
  /** Fields that no manager can own, by version: a set to remove with all fields below it, or a filter. */
  readonly resetFields?: ReadonlyMap<string, FieldSet | FieldFilter> | undefined;
}

export interface UpdateOptions {
  readonly live: TypedValue;
  readonly updated: TypedValue;
  readonly apiVersion: string;
  readonly managers: Managers;
  readonly manager: string;
}

export interface ApplyOptions {
  readonly live: TypedValue;
  readonly config: TypedValue;
  readonly apiVersion: string;
  readonly managers: Managers;
  readonly manager: string;
  readonly force: boolean;
}

export interface Applied {
  /** Shares parts with the live object and the configuration. */
  readonly merged: TypedValue;
  readonly managers: Managers;
  /** The merged object equals the live one. */
  readonly unchanged: boolean;
}

/** Computes which manager owns which fields after a write (model: structured-merge-diff's merge.Updater). */
export class Updater {
  readonly #converter: VersionConverter;
  readonly #filters: ReadonlyMap<string, FieldFilter | undefined>;

  constructor({ converter, resetFields }: UpdaterOptions) {
    this.#converter = converter;
    this.#filters = new Map([...(resetFields ?? [])].map(([apiVersion, fields]) => [apiVersion, asFilter(fields)]));
  }

  /**
   * The managers after create, update or patch. `live` is the empty object for a create.
   * @throws TypedValueError where the values do not fit their types
   */
  *update({ live, updated, apiVersion, managers, manager }: UpdateOptions): Steps<Managers> {
    const current = yield* this.#reconciled(live, managers);
    if (isSliced()) yield;
    const comparison = yield* this.#compare(live, updated, apiVersion);
    if (isSliced()) yield;
    yield* this.#takeAway(current, { before: live, after: updated, apiVersion, comparison, manager, force: true });
    if (isSliced()) yield;
    const owned = current.get(manager)?.set ?? FieldSet.empty;
    const set = this.#ownable(
      owned.difference(comparison.removed).union(comparison.modified).union(comparison.added),
      apiVersion,
    );
    if (set.isEmpty) current.delete(manager);
    else current.set(manager, { set, apiVersion, applied: false });
    return current;
  }

  /**
   * Merges the configuration into the live object, and removes fields that the manager applied before, does not apply
   * now, and no other manager owns.
   * @throws ConflictError, TypedValueError
   */
  *apply({ live, config, apiVersion, managers, manager, force }: ApplyOptions): Steps<Applied> {
    const current = yield* this.#reconciled(live, managers);
    if (isSliced()) yield;
    const merged = yield* withinSteps('failed to merge config', mergeTyped(live, config.value));
    if (isSliced()) yield;
    const last = current.get(manager);
    const set = this.#ownable(yield* withinSteps('failed to get field set', toFieldSet(config)), apiVersion);
    current.set(manager, { set, apiVersion, applied: true });
    if (isSliced()) yield;
    // Applying the same fields again removes nothing.
    const pruned =
      last?.apiVersion === apiVersion && last.set.equals(set)
        ? merged
        : yield* withinSteps(
            'failed to prune fields',
            new Pruning(this.#converter).run(merged, { last, managers: current, apiVersion }),
          );
    if (isSliced()) yield;
    const comparison = yield* this.#compare(live, pruned, apiVersion);
    if (isSliced()) yield;
    yield* this.#takeAway(current, { before: live, after: pruned, apiVersion, comparison, manager, force });
    if (isSliced()) yield;
    return { merged: pruned, managers: current, unchanged: equalValues(live.value, pruned.value) };
  }

  #ownable(set: FieldSet, apiVersion: string): FieldSet {
    const filter = this.#filters.get(apiVersion);
    return filter === undefined ? set : filter(set);
  }

  *#compare(before: TypedValue, after: TypedValue, apiVersion: string): Steps<Comparison> {
    const comparison = yield* withinSteps(
      'failed to compare objects',
      compareTyped(before.value, after.value, after.type),
    );
    return filteredComparison(comparison, this.#filters.get(apiVersion));
  }

  /** The sets adapted to the present schema; sets of versions that no longer exist are dropped. */
  *#reconciled(live: TypedValue, managers: Managers): Steps<Map<string, VersionedSet>> {
    const out = new Map<string, VersionedSet>();
    for (const [manager, versioned] of managers) {
      const converted = yield* this.#converter.convert(live, versioned.apiVersion);
      if (converted === undefined) continue;
      const set = reconcileFieldSet(versioned.set, converted.type);
      out.set(manager, set === versioned.set ? versioned : { ...versioned, set });
    }
    return out;
  }

  /** Removes changed and removed fields from other managers' sets; without `force`, owned changed fields conflict. */
  *#takeAway(managers: Map<string, VersionedSet>, change: Change): Steps<void> {
    const { manager: writer, apiVersion, comparison, force } = change;
    const versions = new Map<string, Comparison | undefined>([[apiVersion, comparison]]);
    const writtenIn = new Map<Comparison, FieldSet>();
    const left = new Map<string, FieldSet>();
    const conflicts: Conflict[] = [];
    for (const [manager, versioned] of managers) {
      if (manager === writer) continue;
      const theirs = yield* this.#comparisonIn(versions, versioned.apiVersion, change);
      if (theirs === undefined) {
        managers.delete(manager);
        continue;
      }
      let written = writtenIn.get(theirs);
      if (written === undefined) writtenIn.set(theirs, (written = theirs.modified.union(theirs.added)));
      const lost = versioned.set.intersection(written);
      if (!force) for (const path of lost.paths()) conflicts.push({ manager, path });
      left.set(manager, versioned.set.difference(lost).difference(theirs.removed));
      if (isSliced()) yield;
    }
    if (conflicts.length > 0)
      throw new ConflictError(
        conflicts.toSorted((a, b) => (a.manager < b.manager ? -1 : a.manager > b.manager ? 1 : 0)),
      );
    for (const [manager, versioned] of managers) {
      const set = left.get(manager) ?? versioned.set;
      if (set.isEmpty) managers.delete(manager);
      else if (set !== versioned.set) managers.set(manager, { ...versioned, set });
    }
  }

  *#comparisonIn(
    versions: Map<string, Comparison | undefined>,
    apiVersion: string,
    { before, after }: Change,
  ): Steps<Comparison | undefined> {
    if (!versions.has(apiVersion)) {
      const left = yield* withinSteps('failed to convert old object', this.#converter.convert(before, apiVersion));
      const right =
        left === undefined
          ? undefined
          : yield* withinSteps('failed to convert new object', this.#converter.convert(after, apiVersion));
      versions.set(
        apiVersion,
        left === undefined || right === undefined ? undefined : yield* this.#compare(left, right, apiVersion),
      );
    }
    return versions.get(apiVersion);
  }
}

interface Change {
  readonly before: TypedValue;
  readonly after: TypedValue;
  readonly apiVersion: string;
  readonly comparison: Comparison;
  readonly manager: string;
  readonly force: boolean;
}
