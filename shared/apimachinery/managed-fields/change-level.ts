import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import { equalValues } from '#shared/apimachinery/schema/value-order.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import type { FieldFilter } from './field-filter.ts';
import { FieldSet, type SetEntry } from './field-set.ts';
import type { TypedWalk } from './typed-walk.ts';
import { isWrittenOtherwise, keepsSameJson } from './written-lists.ts';

/** What differs between two objects. No path is in more than one of the sets. */
export interface Comparison {
  readonly removed: FieldSet;
  readonly modified: FieldSet;
  readonly added: FieldSet;
}

/** The comparison with only the paths that the filter keeps. */
export function filteredComparison(comparison: Comparison, filter: FieldFilter | undefined): Comparison {
  if (filter === undefined) return comparison;
  const { removed, modified, added } = comparison;
  return { removed: filter(removed), modified: filter(modified), added: filter(added) };
}

type Change = keyof Comparison;

const changes = ['removed', 'modified', 'added'] as const;

/** The changes below one path. */
export class ChangeLevel {
  readonly walk: TypedWalk;
  removed: SetEntry[] | undefined;
  modified: SetEntry[] | undefined;
  added: SetEntry[] | undefined;

  constructor(walk: TypedWalk) {
    this.walk = walk;
  }

  add(change: Change, entry: SetEntry): void {
    (this[change] ??= []).push(entry);
  }

  /** As {@link set}, at once. */
  setNow(change: Change): FieldSet {
    const entries = this[change];
    return entries === undefined ? FieldSet.empty : FieldSet.ofEntriesNow(entries);
  }

  *set(change: Change): Steps<FieldSet> {
    const entries = this[change];
    return entries === undefined ? FieldSet.empty : yield* FieldSet.ofEntries(entries);
  }

  /** As {@link raise}, at once. */
  raiseNow(to: ChangeLevel, element: PathElement, own: Change | undefined): void {
    for (const change of changes) {
      const entries = this[change];
      if (entries === undefined && own !== change) continue;
      const children = entries === undefined ? undefined : FieldSet.ofEntriesNow(entries);
      to.add(change, { element, member: own === change, children });
    }
  }

  /** Adds the changes to the level above; `own` is the change of the path itself. */
  *raise(to: ChangeLevel, element: PathElement, own: Change | undefined): Steps<void> {
    for (const change of changes) {
      const entries = this[change];
      if (entries === undefined && own !== change) continue;
      to.add(change, {
        element,
        member: own === change,
        children: entries === undefined ? undefined : yield* FieldSet.ofEntries(entries),
      });
    }
  }
}

export type ComparedSide = JsonValue | undefined;

export function leafChange(before: ComparedSide, after: ComparedSide): Change | undefined {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return equalValues(before, after) && !isWrittenOtherwise(after) && keepsSameJson(before, after)
    ? undefined
    : 'modified';
}
