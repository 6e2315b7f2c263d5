import type { Field } from '#shared/apimachinery/schema/schema.ts';
import type { ListView } from '#shared/apimachinery/schema/type-view.ts';

/** How the items of a field's list are owned. */
export function listRelation({
  listType,
  listMapKeys,
  patchStrategy,
  patchMergeKey,
}: Field): Pick<ListView, 'atomic' | 'keys'> {
  switch (listType) {
    case 'atomic':
      return { atomic: true, keys: [] };
    case 'set':
      return { atomic: false, keys: [] };
    case 'map':
      return { atomic: false, keys: listMapKeys ?? [] };
    default:
      // A list without a list type is owned as strategic merge patch merges it.
      if (patchStrategy?.includes('merge') !== true) return { atomic: true, keys: [] };
      return { atomic: false, keys: patchMergeKey === undefined ? [] : [patchMergeKey] };
  }
}

/** Whether the list of a field is owned as a whole. */
export function isAtomic(field: Field): boolean {
  return listRelation(field).atomic;
}
