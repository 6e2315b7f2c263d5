import { invalid, path, type FieldError } from '../apimachinery/field-error.ts';
import type { KubeObject } from '../apimachinery/object.ts';

const standard: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/** Built-in types know a few finalizers by their bare names; others must name their domain (core ValidateObjectMeta). */
export function validateFinalizerNames(object: KubeObject): FieldError[] {
  return (object.metadata.finalizers ?? []).flatMap((name, index) => {
    const field = path('metadata', 'finalizers').index(index);
    if (name.includes('/') || standard.has(name)) return [];
    return [invalid(field, name, 'name is neither a standard finalizer name nor is it fully qualified')];
  });
}
