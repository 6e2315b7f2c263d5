import type { ObjectMeta } from '../apimachinery/object.ts';
import type { DeleteRequest } from './resource-store.ts';
import type { Strategy } from './strategy.ts';

const orphanFinalizer = 'orphan';
const foregroundFinalizer = 'foregroundDeletion';

/**
 * The finalizers by which the garbage collector learns what becomes of dependents. In falling rank: the request, the
 * finalizers that are there, the resource's default. Where there is no collector, nothing marks what only it would take
 * away (apiserver registry Store, deletionFinalizersForGarbageCollection).
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
