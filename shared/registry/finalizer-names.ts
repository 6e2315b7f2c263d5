import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';

const standard: ReadonlySet<string> = new Set(['kubernetes', 'orphan', 'foregroundDeletion']);

/**
 * Built-in types know a few finalizers by their bare names; others must name their domain (core ValidateObjectMeta).
 */
export function validateFinalizerNames(object: KubeObject): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, name] of (object.metadata.finalizers ?? []).entries()) {
    if (name.includes('/') || standard.has(name)) continue;
    errors.push(
      invalid(
        path('metadata', 'finalizers').index(index),
        name,
        'name is neither a standard finalizer name nor is it fully qualified',
      ),
    );
  }
  return errors;
}
