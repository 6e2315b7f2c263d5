import { parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';

/** Whether the client of the reference knows a kind. */
export type KnowsKind = (group: string, version: string, kind: string) => boolean;

/**
 * The review in a successful answer. It may leave out its kind.
 * @param scheme the kind of review alone, by the fields that are read
 * @throws Error for a body that is no such review
 */
export function answeredReview(
  { status: code, headers, body }: CollectedAnswer,
  scheme: ConfigurationScheme,
  review: GroupVersionKind,
  knowsKind: KnowsKind,
): KubeObject {
  if (body.length === 0) {
    const type = headers['content-type'] ?? '';
    throw new Error(`0-length response with status code: ${code} and content type: ${type}`);
  }
  const object = parsedObject(body.toString('utf8'));
  const apiVersion = stringAt(object, 'apiVersion');
  const { group, version } = apiVersion === '' ? review : parseGroupVersion(apiVersion);
  const { kind: wanted } = review;
  const kind = stringAt(object, 'kind') || wanted;
  const isOther = kind !== wanted || version !== review.version || group !== review.group;
  if (isOther && knowsKind(group, version, kind))
    throw new Error(`converting (${version}.${kind}) to (${review.version}.${wanted}): unknown conversion`);
  return decodeConfiguration(scheme, body, review);
}

function parsedObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
