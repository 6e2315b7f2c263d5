import { Buffer } from 'node:buffer';
import { requireCustomKind, UnsuitableTypeError } from '#shared/admission/contract/custom-kind.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import { newInternalError, StatusError } from '#shared/apimachinery/errors/status.ts';
import { formatGroupVersion, parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { getKey, isObject, setKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { applyJsonPatch, decodeJsonPatch, type JsonPatch } from '#shared/apimachinery/patch/json-patch.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { jsonTextInSteps } from '#shared/serializer/json/encode-in-steps.ts';
import { sortedKeys } from '#shared/serializer/json/go-text.ts';
import { rawTextInSteps } from '#shared/serializer/json/loose-in-steps.ts';
import { decodeUtf8, parseJsonText, parsePrinted } from '#shared/serializer/json/parse.ts';
import { maxJsonDepth, scanJson } from '#shared/serializer/json/scan.ts';

/** Decodes the patch of an answer, which is base64. @throws Error with the reference's text */
export function* readWebhookPatch(base64: string): Steps<JsonPatch> {
  const bytes = Buffer.from(base64, 'base64');
  const { largeIntegers } = yield* scanJson(bytes, { maxDepth: maxJsonDepth });
  const text = decodeUtf8(bytes);
  return decodeJsonPatch(yield* parseJsonText(text, bytes, largeIntegers));
}

/** The JSON text of a patch as Go prints it: the members of an operation are sorted, those of its value are not. */
export function* webhookPatchText(operations: JsonPatch): Steps<string> {
  const sorted = operations.map((operation) => {
    const out: JsonObject = {};
    for (const key of sortedKeys(operation)) setKey(out, key, getKey(operation, key) ?? null);
    return out;
  });
  return yield* rawTextInSteps(sorted);
}

export interface PatchedByWebhook {
  readonly object: KubeObject;
  /** Whether the object differs from what it was, before defaults. */
  readonly changed: boolean;
}

/**
 * Applies the patch to the object in the version that the webhook saw.
 * @throws StatusError 500 for a patch that does not apply, or that makes an object of another type;
 * UnsuitableTypeError for a custom resource of another group
 */
export function* applyWebhookPatch(
  { kind, schema }: VersionedAttributes,
  object: KubeObject,
  operations: JsonPatch,
): Steps<PatchedByWebhook> {
  try {
    const printed = yield* jsonTextInSteps(schema, object);
    const { value } = yield* applyJsonPatch((yield* parsePrinted(printed)) as JsonObject, operations);
    if (schema.custom !== undefined && isObject(value)) yield* requireCustomType(asKubeObject(value), kind);
    const { object: patched } = yield* conform(schema, value, { strict: false });
    checkKind(patched, formatGroupVersion(kind), kind.kind);
    return { object: patched, changed: (yield* jsonTextInSteps(schema, patched)) !== printed };
  } catch (error) {
    if (error instanceof StatusError || error instanceof UnsuitableTypeError) throw error;
    throw newInternalError(error instanceof Error ? error.message : String(error));
  }
}

function* requireCustomType(patched: KubeObject, kind: GroupVersionKind): Steps<void> {
  yield* requireCustomKind(patched);
  const { group, version } = parseGroupVersion(patched.apiVersion ?? '');
  if (group !== kind.group) throw new UnsuitableTypeError({ group, version, kind: patched.kind ?? '' }, kind);
}

/** A patch may take away the names of version and kind, and not change them. */
function checkKind(patched: KubeObject, apiVersion: string, kind: string): void {
  if (!isObject(patched)) throw new Error('the patched document is no object');
  const named = patched.kind || kind;
  const version = patched.apiVersion || apiVersion;
  if (named !== kind || version !== apiVersion)
    throw new Error(
      `no kind ${goQuote(named)} is registered for version ${goQuote(version)} in scheme "pkg/runtime/scheme.go:111"`,
    );
  patched.kind = kind;
  patched.apiVersion = apiVersion;
}
