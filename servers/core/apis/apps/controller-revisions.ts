import { defineBuiltIn } from '#servers/core/apis/contract/built-in-resource.ts';
import { VerbatimValue, invalid, path, required, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { exactTextOf } from '#shared/apimachinery/json/exact-texts.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { int64At, type KubeObject } from '#shared/apimachinery/object.ts';
import { nonNegative } from '#shared/apimachinery/validation/field-rules.ts';
import type { Strategy } from '#shared/registry/strategy.ts';
import { rawText } from '#shared/serializer/json/loose.ts';
import { controllerRevisionRows } from './rows.ts';

/** ControllerRevisions (pkg/apis/apps/validation). */
export const controllerRevisionStrategy: Strategy = {
  validate: (revision) => [...validateRevision(revision), ...validateData(revision)],
  validateUpdate: (revision, old) => [
    ...validateRevision(revision),
    ...(textOf(revision) === textOf(old) ? [] : [invalid(path('data'), shownData(revision), 'field is immutable')]),
  ],
};

function validateRevision(revision: KubeObject): FieldError[] {
  return nonNegative(int64At(revision, 'revision') ?? 0, path('revision'));
}

/** A number is shown as raw JSON, as it was sent. */
function shownData(revision: KubeObject): JsonValue | VerbatimValue {
  const data = revision['data'] ?? null;
  return typeof data === 'number' || typeof data === 'bigint' ? new VerbatimValue(rawText(data)) : data;
}

/** The data as text. It is compared byte by byte, so another order of members is a change. */
function textOf(revision: KubeObject): string {
  const data = revision['data'];
  return exactTextOf(data) ?? rawText(data);
}

function validateData(revision: KubeObject): FieldError[] {
  const data = revision['data'] ?? null;
  if (data === null) return [required(path('data'), 'data is mandatory')];
  return isObject(data) ? [] : [required(path('data'), 'data must be a valid JSON object')];
}

export const controllerRevisionResource = defineBuiltIn({
  group: 'apps',
  resource: 'controllerrevisions',
  rows: controllerRevisionRows,
  strategy: controllerRevisionStrategy,
  writes: {
    metadataOnUpdate: 'both',
  },
});
