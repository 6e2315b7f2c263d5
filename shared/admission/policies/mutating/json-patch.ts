import { requireCustomKind } from '#shared/admission/contract/custom-kind.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { canonicalObject } from '#shared/apimachinery/managed-fields/canonical-object.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { applyJsonPatch } from '#shared/apimachinery/patch/json-patch.ts';
import { PatchError, PatchTestError } from '#shared/apimachinery/patch/patch-error.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { celJson, mismatchedTypeNames, NoJsonError } from '#shared/cel/uses/cel-json.ts';
import { ConstructedObject } from '#shared/cel/uses/patch-types.ts';
import { CelList, type Value } from '#shared/cel/values/value.ts';
import { notRegisteredText } from '#shared/serializer/decode-errors.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { MutationError } from './mutation-error.ts';

/**
 * Applies the result of a `jsonPatch` expression to an object. The object stays as it is where a `test` fails
 * (apiserver/pkg/admission/plugin/policy/mutating/patch, json_patch.go).
 * @throws MutationError; StatusError 500 if the patched object cannot be decoded
 */
export function* patchObject(
  { kind, schema }: VersionedAttributes,
  object: KubeObject,
  result: Value,
): Steps<KubeObject> {
  const operations = operationsOf(result);
  const named: KubeObject = { ...object, apiVersion: formatGroupVersion(kind), kind: kind.kind };
  const document = schema.custom === undefined ? yield* canonicalObject(schema, named) : named;
  let patched: JsonValue;
  try {
    patched = (yield* applyJsonPatch(yield* cloneInSteps(document), operations)).value;
  } catch (error) {
    if (error instanceof PatchTestError) return object;
    throw error instanceof PatchError ? new MutationError(`JSON Patch: ${error.message}`) : error;
  }
  const members = isObject(patched) ? patched : {};
  // The options of a connection have no metadata.
  const hasMetadata = schema.custom !== undefined || schema.byName.has('metadata');
  const whole = hasMetadata ? asKubeObject(members) : (members as KubeObject);
  yield* schema.custom === undefined ? requireDecodable(whole, named, schema) : requireCustomKind(whole);
  return whole;
}

/** @throws StatusError 500 */
function* requireDecodable(patched: KubeObject, named: KubeObject, schema: StructSchema): Steps<void> {
  const { apiVersion = '', kind = '' } = patched;
  if (kind !== named.kind || apiVersion !== named.apiVersion)
    throw newInternalError(notRegisteredText({ ...parseGroupVersion(apiVersion), kind }));
  let strictErrors: readonly string[];
  try {
    ({ strictErrors } = yield* conform(schema, yield* cloneInSteps(patched), { strict: true }));
  } catch (error) {
    throw error instanceof Error ? newInternalError(error.message) : error;
  }
  // The reference reads the patched text, in which keys are sorted.
  if (strictErrors.length > 0) throw newInternalError(`strict decoding error: ${strictErrors.toSorted().join(', ')}`);
}

function operationsOf(result: Value): JsonObject[] {
  if (!(result instanceof CelList))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array');
  return Array.from({ length: result.size }, (_, at) => operationOf(result.get(at)));
}

function operationOf(item: Value): JsonObject {
  if (!(item instanceof ConstructedObject))
    throw new MutationError('type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch');
  const from = textOf(item, 'from');
  const operation: JsonObject = {
    op: textOf(item, 'op'),
    path: textOf(item, 'path'),
    ...(from === '' ? {} : { from }),
  };
  const value = item.fields.get('value');
  if (value === undefined) return operation;
  const mismatches = value instanceof ConstructedObject ? mismatchedTypeNames(value) : [];
  if (mismatches.length > 0) throw new MutationError(`type mismatch: ${mismatches.join('\n')}`);
  try {
    operation['value'] = celJson(value, 'safe');
  } catch (error) {
    if (!(error instanceof NoJsonError)) throw error;
    throw new MutationError(
      `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${error.message}`,
    );
  }
  return operation;
}

function textOf(item: ConstructedObject, field: string): string {
  const text = item.fields.get(field);
  return typeof text === 'string' ? text : '';
}
