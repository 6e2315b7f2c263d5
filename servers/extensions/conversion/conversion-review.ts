import type { Buffer } from 'node:buffer';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { notRegisteredText } from '#shared/serializer/decode-errors.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { JsonSyntaxError } from '#shared/serializer/json/syntax-error.ts';

const group = 'apiextensions.k8s.io';

/** The versions of ConversionReview that this server speaks. */
export type ReviewVersion = 'v1' | 'v1beta1';

/** The first known version of a definition's `conversionReviewVersions`. */
export function reviewVersionOf(preferred: readonly string[]): ReviewVersion | undefined {
  return preferred.find((version): version is ReviewVersion => version === 'v1' || version === 'v1beta1');
}

/** A request to convert objects. */
export interface ReviewRequest {
  readonly version: ReviewVersion;
  readonly uid: string;
  readonly desiredAPIVersion: string;
  /** The JSON of the objects. */
  readonly objects: readonly Buffer[];
}

/** The body of a request. Like the reference's, it carries an empty response. */
export function reviewText({ version, uid, desiredAPIVersion, objects }: ReviewRequest): string {
  const wanted = `"uid":"${uid}","desiredAPIVersion":${JSON.stringify(desiredAPIVersion)}`;
  const list = objects.map((object) => object.toString('utf8')).join(',');
  return (
    `{"kind":"ConversionReview","apiVersion":"${group}/${version}","request":{${wanted},"objects":[${list}]}` +
    ',"response":{"uid":"","convertedObjects":null,"result":{"metadata":{}}}}\n'
  );
}

/**
 * The converted objects of an answer, as the webhook sent them.
 * @throws Error with the reference's words for an answer that is no successful review of the request
 */
export function* readReview(body: Buffer, { version, uid }: ReviewRequest): Steps<readonly JsonValue[]> {
  const response = responseOf(yield* readBody(body), version);
  if (response === undefined) throw new Error('no response provided');
  const answered = textField(response, 'uid', 'ConversionResponse.response.uid', 'types.UID');
  const objects = typedField(response, 'convertedObjects', responseName, '[]runtime.RawExtension', 'list') ?? [];
  const result = typedField(response, 'result', responseName, 'v1.Status', 'object') ?? {};
  const status = textField(result as JsonObject, 'status', 'Status.response.result.status', 'string');
  const message = textField(result as JsonObject, 'message', 'Status.response.result.message', 'string');
  // v1beta1 does not check the uid, as in the reference.
  if (version === 'v1' && answered !== uid)
    throw new Error(`expected response.uid=${goQuote(uid)}, got ${goQuote(answered)}`);
  if (status !== 'Success')
    throw new Error(message === '' ? `response.result.status was '${status}', not 'Success'` : message);
  return objects as JsonValue[];
}

const responseName = 'ConversionResponse.response';
const header = String.raw`struct { APIVersion string "json:\"apiVersion,omitempty\""; Kind string "json:\"kind,omitempty\"" }`;

function* readBody(body: Buffer): Steps<JsonObject> {
  let value: JsonValue;
  try {
    value = yield* parseJson(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    // Go's serializer takes a text without an opening brace for YAML, in which a plain word is a string.
    throw unreadable(
      startsAsJson(body) ? error.message : `json: cannot unmarshal string into Go value of type ${header}`,
    );
  }
  if (value === null) return {};
  if (isObject(value)) return value;
  throw unreadable(`json: cannot unmarshal ${goKind(value)} into Go value of type ${header}`);
}

function unreadable(message: string): Error {
  return new Error(`couldn't get version/kind; json parse error: ${message}`);
}

function startsAsJson(body: Buffer): boolean {
  return body.toString('latin1', 0, 64).trimStart().startsWith('{');
}

/** The response of a review of the asked version; other kinds are refused. */
function responseOf(review: JsonObject, version: ReviewVersion): JsonObject | undefined {
  const [apiVersion, kind] = [textOf(review, 'apiVersion'), textOf(review, 'kind')];
  const parts = apiVersion.split('/');
  if (parts.length > 2) throw new Error(`unexpected GroupVersion string: ${apiVersion}`);
  const asked = `${group}/${version}`;
  if (kind !== '' && apiVersion !== '' && !(kind === 'ConversionReview' && apiVersion === asked))
    throw new Error(otherKindText(kind, parts, version));
  typedField(review, 'request', 'ConversionReview', `${version}.ConversionRequest`, 'object');
  const response = typedField(review, 'response', 'ConversionReview', `${version}.ConversionResponse`, 'object');
  if (version === 'v1' && (kind === '' || apiVersion === '')) {
    const received = apiVersion === '' ? '/' : apiVersion;
    throw new Error(`expected webhook response of ${asked}, Kind=ConversionReview, got ${received}, Kind=${kind}`);
  }
  return response as JsonObject | undefined;
}

const kindsOfGroup = ['ConversionReview', 'CustomResourceDefinition', 'CustomResourceDefinitionList'];

function otherKindText(kind: string, parts: readonly string[], version: ReviewVersion): string {
  const [groupName, received] = parts.length === 1 ? ['', parts[0] ?? ''] : [parts[0] ?? '', parts[1] ?? ''];
  const isKnown =
    (groupName === group && (received === 'v1' || received === 'v1beta1') && kindsOfGroup.includes(kind)) ||
    (groupName === '' && received === 'v1' && kind === 'Status');
  return isKnown
    ? `converting (${received}.${kind}) to (${version}.ConversionReview): unknown conversion`
    : notRegisteredText({ group: groupName, version: received, kind });
}

function textOf(object: JsonObject, key: string): string {
  const value = getKey(object, key) ?? '';
  if (typeof value === 'string') return value;
  const field = `${key === 'kind' ? 'Kind' : 'APIVersion'} string`;
  throw unreadable(
    `json: cannot unmarshal ${goKind(value)} into Go struct field .${key} of type ${field.split(' ')[1]}`,
  );
}

function textField(object: JsonObject, key: string, name: string, type: string): string {
  const value = getKey(object, key) ?? '';
  if (typeof value === 'string') return value;
  throw new Error(`json: cannot unmarshal ${goKind(value)} into Go struct field ${name} of type ${type}`);
}

/** A list or an object; undefined for null. */
function typedField(
  object: JsonObject,
  key: string,
  owner: string,
  type: string,
  wanted: 'list' | 'object',
): JsonValue[] | JsonObject | undefined {
  const value = getKey(object, key) ?? null;
  if (value === null) return undefined;
  if (wanted === 'list' ? Array.isArray(value) : isObject(value)) return value as JsonValue[] | JsonObject;
  throw new Error(`json: cannot unmarshal ${goKind(value)} into Go struct field ${owner}.${key} of type ${type}`);
}

/** The name of a JSON value in errors of encoding/json. */
export function goKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
