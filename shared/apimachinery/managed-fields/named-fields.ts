import type { PathElement } from '#shared/apimachinery/schema/path-element.ts';
import { noType, type TypeView } from '#shared/apimachinery/schema/type-view.ts';
import type { FieldSet, SetEntry } from './field-set.ts';

/**
 * The set with every declared field that lies on the way to one of its paths: `.spec` for `.spec.replicas`. Keys of
 * maps and list items are not added.
 */
export function withNamedFields(set: FieldSet, type: TypeView): FieldSet {
  return set.map((entry) => {
    if (entry.children === undefined) return entry;
    const { element } = entry;
    const children = withNamedFields(entry.children, typeBelow(type, element));
    const member = entry.member || (element.kind === 'field' && type.map?.field(element.name) !== undefined);
    return sameEntry(entry, member, children) ? entry : { element, member, children };
  });
}

function sameEntry(entry: SetEntry, member: boolean, children: FieldSet): boolean {
  return entry.member === member && entry.children === children;
}

function typeBelow({ map, list }: TypeView, element: PathElement): TypeView {
  if (element.kind === 'field' && map !== undefined) return map.field(element.name)?.type ?? map.element ?? noType;
  return (element.kind === 'key' ? list?.items : undefined) ?? noType;
}
