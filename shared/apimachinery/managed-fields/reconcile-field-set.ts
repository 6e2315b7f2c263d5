import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import { deducedView, type MapView, type TypeView } from '#shared/apimachinery/schema/type-view.ts';
import type { FieldSet, SetEntry } from './field-set.ts';

/**
 * Adapts a set to a type that has changed since: the owner of parts of a value that is atomic now owns the whole value.
 * Paths of a value that was atomic and is granular now stay the same. Returns the same set where nothing changes.
 */
export function reconcileFieldSet(set: FieldSet, type: TypeView): FieldSet {
  let known = reconciled.get(set);
  if (known?.type !== type) {
    const below = reconcile(set, type);
    // The object itself has no owner.
    known = { type, set: below === 'atomic' ? set : below };
    reconciled.set(set, known);
  }
  return known.set;
}

/** The latest result for each set: objects of one kind share the few sets of their managers. */
const reconciled = new WeakMap<FieldSet, { readonly type: TypeView; readonly set: FieldSet }>();

function reconcile(set: FieldSet, { map, list, scalar }: TypeView): FieldSet | 'atomic' {
  if (map !== undefined) {
    if (isFreeForm(map)) return set;
    return map.atomic
      ? 'atomic'
      : set.map((entry) =>
          entry.children === undefined ? entry : reconcileEntry(entry, typeBelow(map, entry.element)),
        );
  }
  if (scalar !== undefined || list === undefined) return set;
  return list.atomic ? 'atomic' : set.map((entry) => reconcileEntry(entry, list.items));
}

function reconcileEntry(entry: SetEntry, type: TypeView | undefined): SetEntry {
  const { element, member, children } = entry;
  if (children === undefined || type === undefined) return entry;
  const below = reconcile(children, type);
  if (below === 'atomic') return { element, member: true, children: undefined };
  return below === children ? entry : { element, member, children: below };
}

function typeBelow(map: MapView, element: PathElement): TypeView | undefined {
  return (element.kind === 'field' ? map.field(element.name)?.type : undefined) ?? map.element;
}

/** Maps without declared fields and with untyped values: these are never reconciled. */
function isFreeForm({ hasNoFields, element }: MapView): boolean {
  return hasNoFields && (element === deducedView || (element?.scalar === 'untyped' && element.name === ''));
}
