import type { ObjectMeta } from '#shared/apimachinery/object.ts';
import type { DeleteRequest } from './resource-store.ts';
import type { Strategy } from './strategy.ts';

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

/**
 * The finalizers that tell the garbage collector what to do with dependents. The request decides; if it does not, the
 * present finalizers; then the default of the resource. With `disabled` the finalizers stay as they are, since there is
 * no collector to remove new ones (apiserver registry Store, deletionFinalizersForGarbageCollection).
 */
export function deletionFinalizers(
  metadata: ObjectMeta,
  request: DeleteRequest,
  policy: Strategy['defaultGarbageCollection'] | 'disabled',
): { readonly changed: boolean; readonly finalizers: string[] } {
  const present = metadata.finalizers ?? [];
  if (policy === 'disabled') return { changed: false, finalizers: [...present] };
  const wanted = present.filter((name) => name !== orphanFinalizer && name !== foregroundFinalizer);
  const finalizer = policy === 'unsupported' ? undefined : dependentsFinalizer(present, request, policy === 'orphan');
  if (finalizer !== undefined) wanted.push(finalizer);
  const before = new Set(present);
  const changed = before.size !== new Set(wanted).size || wanted.some((name) => !before.has(name));
  return { changed, finalizers: changed ? wanted : [...present] };
}

function dependentsFinalizer(
  present: readonly string[],
  request: DeleteRequest,
  orphanByDefault: boolean,
): string | undefined {
  if (request.orphanDependents !== undefined) return request.orphanDependents ? orphanFinalizer : undefined;
  switch (request.propagationPolicy) {
    case 'Orphan':
      return orphanFinalizer;
    case 'Foreground':
      return foregroundFinalizer;
    case 'Background':
      return undefined;
    default: {
      const first = present.find((name) => name === orphanFinalizer || name === foregroundFinalizer);
      return first ?? (orphanByDefault ? orphanFinalizer : undefined);
    }
  }
}
