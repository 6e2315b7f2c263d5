import { path } from '#shared/apimachinery/errors/field-error.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { compareTyped } from '#shared/apimachinery/managed-fields/compare-typed.ts';
import type { Conflict } from '#shared/apimachinery/managed-fields/managers.ts';
import { toFieldSet } from '#shared/apimachinery/managed-fields/to-field-set.ts';
import { TypedValueError } from '#shared/apimachinery/managed-fields/typed-value.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { validateAnnotations } from '#shared/apimachinery/validation/meta-validation.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import type { TypedVersions } from './typed-versions.ts';

/** The annotation in which client-side `kubectl apply` stores the last applied configuration. */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The conflicts about fields that the annotation does not cover, or that have changed since; undefined without a
 * readable annotation (apimachinery/pkg/util/managedfields/internal/lastappliedmanager.go).
 */
export function conflictsBeyondLastApplied(
  conflicts: readonly Conflict[],
  live: KubeObject,
  apiVersion: string,
  versions: TypedVersions,
): readonly Conflict[] | undefined {
  const applied = readAnnotation(live, apiVersion);
  if (applied === undefined) return undefined;
  try {
    const typed = atOnce(versions.validated(applied));
    const { modified, added, removed } = atOnce(
      compareTyped(typed.value, atOnce(versions.typed(live)).value, typed.type),
    );
    const unchanged = atOnce(toFieldSet(typed)).difference(modified).difference(added).difference(removed);
    return conflicts.filter((conflict) => !unchanged.has(conflict.path));
  } catch (error) {
    if (error instanceof TypedValueError) return undefined;
    throw error;
  }
}

function readAnnotation({ metadata, kind }: KubeObject, apiVersion: string): JsonObject | undefined {
  const text = metadata.annotations?.[annotation];
  if (!text) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
  return isObject(value) && value['kind'] === kind && value['apiVersion'] === apiVersion ? value : undefined;
}

/**
 * Updates the annotation if the object has one, so that kubectl can return to client-side apply
 * (lastappliedupdater.go). Changes the object in place; drops the annotation if all annotations together would be too
 * large.
 */
export function keepLastApplied(object: KubeObject, config: JsonObject): void {
  const { annotations } = object.metadata;
  if (!annotations?.[annotation]) return;
  const text = `${looseText(withoutAnnotation(config))}\n`;
  const kept = { ...annotations, [annotation]: text };
  if (atOnce(validateAnnotations(kept, path('metadata'))).length > 0)
    delete (kept as Record<string, string>)[annotation];
  object.metadata.annotations = kept;
}

/** Nulls become empty texts. Annotations that hold anything else are left out as a whole. */
function withoutAnnotation(config: JsonObject): JsonObject {
  const { metadata } = config;
  if (!isObject(metadata) || metadata['annotations'] === undefined) return config;
  const { annotations, ...others } = metadata;
  const entries = isObject(annotations) ? Object.entries(annotations) : undefined;
  if (entries === undefined || entries.some(([, text]) => text !== null && typeof text !== 'string'))
    return { ...config, metadata: others };
  const kept = entries.filter(([key]) => key !== annotation).map(([key, text]) => [key, text ?? ''] as const);
  return { ...config, metadata: { ...others, annotations: Object.fromEntries(kept) } };
}
