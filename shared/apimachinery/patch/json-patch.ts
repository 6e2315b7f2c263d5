import { newRequestEntityTooLarge } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { getKey, isObject } from '#shared/apimachinery/json/json.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { PatchRun } from './json-patch-run.ts';
import { PatchError } from './patch-error.ts';

/** Operations that one patch may have. */
export const MAX_JSON_PATCH_OPERATIONS = 10_000;

export type JsonPatch = readonly JsonObject[];

/**
 * Reads a patch. `null` is an empty patch, as in the reference.
 * @throws PatchError when it is not a list of objects; StatusError 413 when it has too many operations
 */
export function decodeJsonPatch(value: JsonValue): JsonPatch {
  if (value === null) return [];
  if (!Array.isArray(value)) throw cannotUnmarshal(value, 'jsonpatch.Patch');
  const operations = value.map((item) => {
    if (item === null) return {};
    if (!isObject(item)) throw cannotUnmarshal(item, 'jsonpatch.Operation');
    return item;
  });
  if (operations.length > MAX_JSON_PATCH_OPERATIONS) {
    throw newRequestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${MAX_JSON_PATCH_OPERATIONS}, got ${operations.length}`,
    );
  }
  return operations;
}

function cannotUnmarshal(value: JsonValue, type: string, prefix = ''): PatchError {
  return new PatchError(
    'badRequest',
    `${prefix}json: cannot unmarshal ${jsonKind(value)} into Go ${type.includes(' ') ? type : `value of type ${type}`}`,
  );
}

function jsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'bigint' ? 'number' : typeof value;
}

/** The members of an operation. */
export const operationMembers: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/**
 * Checks the shape of each operation, as the reference does first where field validation is Warn or Strict. The scanner
 * of the body finds unknown and duplicate fields.
 * @throws PatchError
 */
export function checkJsonPatch(value: JsonValue): void {
  const prefix = 'error decoding patch: ';
  if (value === null) return;
  if (!Array.isArray(value)) throw cannotUnmarshal(value, '[]handlers.jsonPatchOp', prefix);
  for (const item of value) {
    if (item === null) continue;
    if (!isObject(item)) throw cannotUnmarshal(item, 'handlers.jsonPatchOp', prefix);
    for (const key of ['op', 'path', 'from']) {
      const member = getKey(item, key) ?? null;
      if (member !== null && typeof member !== 'string') {
        throw cannotUnmarshal(member, `struct field jsonPatchOp.${key} of type string`, prefix);
      }
    }
  }
}

export interface JsonPatched {
  readonly value: JsonValue;
  /** The objects and lists that the patch went into: upstream prints these anew, and others as they were sent. */
  readonly entered: ReadonlySet<JsonValue>;
}

/**
 * Applies a patch as evanphx/json-patch v4 does under the apiserver: `replace` of a missing key adds it, negative
 * indices count from the end, copies are limited. The document is not changed.
 * @throws PatchError
 */
export function* applyJsonPatch(document: JsonObject, patch: JsonPatch): Steps<JsonPatched> {
  const run = new PatchRun(document);
  for (const operation of patch) {
    const rest = run.apply(operation);
    if (rest !== undefined) yield* rest;
    if (sliceIsOver()) yield;
  }
  return { value: run.result(), entered: run.entered };
}
