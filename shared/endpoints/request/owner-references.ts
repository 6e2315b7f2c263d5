import type { KubeObject, OwnerReference } from '#shared/apimachinery/object.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

const asSent =
  '.metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ';
const afterAdmission =
  '.metadata.ownerReferences contains duplicate entries after mutating admission happens; API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: ';

/**
 * Whether {@link dedupOwnerReferences} has anything to check. Every write calls this, and few objects have two owners.
 */
export function hasSeveralOwners(object: KubeObject): boolean {
  const references = object.metadata?.ownerReferences;
  return references !== undefined && references.length > 1;
}

/** Removes duplicate owner references and warns about them. */
export function* dedupOwnerReferences(
  object: KubeObject,
  addWarning: (text: string) => void,
  when: 'as sent' | 'after admission',
): Steps<void> {
  const references = object.metadata?.ownerReferences;
  if (references === undefined) return;
  const kept: OwnerReference[] = [];
  const duplicates: string[] = [];
  const seen = new Set<string>();
  for (const reference of references) {
    const known = seen.size;
    if (seen.add(identityOf(reference)).size === known) duplicates.push(reference.uid);
    else kept.push(reference);
    if (sliceIsOver()) yield;
  }
  if (duplicates.length === 0) return;
  addWarning((when === 'as sent' ? asSent : afterAdmission) + duplicates.join(', '));
  object.metadata.ownerReferences = kept;
}

/**
 * A key that is equal for references that Go holds as equal: an absent text equals an empty one, an absent flag differs
 * from false.
 */
function identityOf({ apiVersion, kind, name, uid, controller, blockOwnerDeletion }: Partial<OwnerReference>): string {
  return JSON.stringify([
    apiVersion ?? '',
    kind ?? '',
    name ?? '',
    uid ?? '',
    controller ?? null,
    blockOwnerDeletion ?? null,
  ]);
}
