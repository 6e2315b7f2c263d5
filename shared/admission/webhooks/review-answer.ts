import type { Buffer } from 'node:buffer';
import { type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { booleanAt, listAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { JsonTypeError } from '#shared/serializer/json/decode-walk.ts';
import { jsonType, yamlType } from '#shared/serializer/negotiate.ts';
import { interpret, parseText } from '#shared/serializer/parse-body.ts';
import type { AdmissionReview, AdmissionReviewVersion } from './admission-review.ts';

export interface AdmissionResponse {
  readonly allowed: boolean;
  /** Texts by their keys, as they were decoded: there may be very many. */
  readonly auditAnnotations: JsonObject;
  /** Texts. */
  readonly warnings: readonly JsonValue[];
  /** In base64; empty for none. */
  readonly patch: string;
  readonly patchType: string;
  /** The Status of a refusal. */
  readonly result: JsonObject | undefined;
}

const reviewGroup = 'admission.k8s.io';

/**
 * Decodes the answer of a webhook to a review of a version.
 * @param type that of an AdmissionReview v1; v1beta1 has the same fields
 * @throws Error in the words of upstream's decoder
 */
export function* decodeReview(body: Buffer, version: AdmissionReviewVersion, type: StructSchema): Steps<JsonObject> {
  const { value } = yield* parseText(startsWithBrace(body) ? jsonType : yamlType, body, false);
  const named = interpret(value);
  const { group, kind } = named;
  const isReview = group === reviewGroup && kind === 'AdmissionReview';
  const said = named.version !== '' || group !== '';
  if (said && kind !== '' && !(isReview && named.version === version)) throw otherType(named, version);
  if (said && kind === '' && !(group === reviewGroup && named.version === version))
    throw otherType({ ...named, kind: 'AdmissionReview' }, version);
  return yield* conformed(type, value ?? {}, version);
}

function* conformed(type: StructSchema, value: JsonValue, version: AdmissionReviewVersion): Steps<JsonObject> {
  try {
    return (yield* conform(type, value, { strict: false })).object;
  } catch (error) {
    if (!(error instanceof JsonTypeError)) throw error;
    const text = error.message.replace(' v1.AdmissionResponse', ` ${version}.AdmissionResponse`);
    throw new Error(text, { cause: error });
  }
}

function startsWithBrace(body: Buffer): boolean {
  for (const byte of body) if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return byte === 0x7b;
  return false;
}

const otherReviewVersion: Readonly<Record<AdmissionReviewVersion, AdmissionReviewVersion>> = {
  v1: 'v1beta1',
  v1beta1: 'v1',
};

/** A type that upstream's decoder knows cannot be converted; others are not registered. */
function otherType({ group, version, kind }: GroupVersionKind, wanted: AdmissionReviewVersion): Error {
  const isOtherVersion = group === reviewGroup && kind === 'AdmissionReview' && version === otherReviewVersion[wanted];
  if (isOtherVersion || (group === '' && version === 'v1' && kind === 'Status'))
    return new Error(`converting (${version}.${kind}) to (${wanted}.AdmissionReview): unknown conversion`);
  const shown = group === '' ? version : `${group}/${version}`;
  return new Error(
    `no kind ${goQuote(kind)} is registered for version ${goQuote(shown)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

/**
 * Checks an answer, and returns what it says (apiserver/pkg/admission/plugin/webhook/request).
 * @throws Error with upstream's text for an answer that does not fit the review
 */
export function verifyReview(
  answer: JsonObject,
  { uid, version }: AdmissionReview,
  mutating: boolean,
): AdmissionResponse {
  const response = objectAt(answer, 'response');
  if (response === undefined) throw new Error('webhook response was absent');
  const patch = stringAt(response, 'patch');
  if (version === 'v1') verifyV1(answer, response, uid, mutating);
  const given = version === 'v1' ? stringAt(response, 'patchType') : patch === '' ? '' : 'JSONPatch';
  return {
    allowed: booleanAt(response, 'allowed') === true,
    auditAnnotations: objectAt(response, 'auditAnnotations') ?? {},
    warnings: listAt(response, 'warnings'),
    patch: mutating ? patch : '',
    patchType: mutating ? given : '',
    result: objectAt(response, 'status'),
  };
}

function verifyV1(answer: JsonObject, response: JsonObject, uid: string, mutating: boolean): void {
  const got = stringAt(response, 'uid');
  if (got !== uid) throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(got)}`);
  const named = interpret(answer);
  if (named.group !== reviewGroup || named.version !== 'v1' || named.kind !== 'AdmissionReview')
    throw new Error(
      `expected webhook response of ${reviewGroup}/v1, Kind=AdmissionReview, got ${named.group}/${named.version}, Kind=${named.kind}`,
    );
  const hasPatch = stringAt(response, 'patch') !== '';
  const patchType = textAt(response['patchType']);
  if (!mutating) {
    if (hasPatch) throw new Error('validating webhook may not return response.patch');
    if (patchType !== undefined) throw new Error('validating webhook may not return response.patchType');
    return;
  }
  if (hasPatch && patchType === undefined)
    throw new Error('webhook returned response.patch but not response.patchType');
  if (!hasPatch && patchType !== undefined)
    throw new Error('webhook returned response.patchType but not response.patch');
  if (patchType === '') throw new Error('webhook returned invalid response.patchType of ""');
}

function textAt(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
