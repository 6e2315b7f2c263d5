import { aggregateText, path } from '#shared/apimachinery/errors/field-error.ts';
import { cloneInSteps } from '#shared/apimachinery/json/clone.ts';
import { getKey, isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goTypeName } from '#shared/apimachinery/text/go-format.ts';
import { validateAnnotations, validateLabels } from '#shared/apimachinery/validation/meta-validation.ts';
import { rawText } from '#shared/serializer/json/loose.ts';
import { goKind } from './conversion-review.ts';

/** The parts of an object that a conversion must keep. */
export interface Original {
  readonly kind: string;
  readonly metadata: JsonObject;
}

/**
 * Which check an answer failed: the object as such (`object`), what its metadata names (`identity`), or its labels and
 * annotations (`metadata`).
 */
export type FailedCheck = 'unreadable' | 'object' | 'identity' | 'metadata';

export class InvalidConvertedObject extends Error {
  readonly check: FailedCheck;

  constructor(check: FailedCheck, message: string) {
    super(message);
    this.name = 'InvalidConvertedObject';
    this.check = check;
  }
}

/**
 * Checks an object that a webhook returned, and gives it the metadata of the original: a conversion may change labels
 * and annotations only. Changes the object.
 * @throws InvalidConvertedObject
 */
export function* takeConverted(value: JsonValue, original: Original, apiVersion: string): Steps<JsonObject> {
  const object = readConverted(value);
  const received = stringAt(object, 'apiVersion');
  if (received !== apiVersion)
    throw new InvalidConvertedObject('object', `invalid groupVersion (expected ${apiVersion}, received ${received})`);
  const kind = stringAt(object, 'kind');
  if (kind !== original.kind)
    throw new InvalidConvertedObject('object', `invalid kind (expected ${original.kind}, received ${kind})`);
  checkIdentity(object, original.metadata);
  object['metadata'] = yield* restoredMetadata(getKey(object, 'metadata'), original.metadata);
  return object;
}

/** As the reference reads unstructured objects: a map with a kind. */
function readConverted(value: JsonValue): JsonObject {
  if (value === null) throw new InvalidConvertedObject('unreadable', 'unexpected end of JSON input');
  if (!isObject(value))
    throw new InvalidConvertedObject(
      'unreadable',
      `json: cannot unmarshal ${goKind(value)} into Go value of type map[string]interface {}`,
    );
  if (stringAt(value, 'kind') === '' || stringAt(value, 'apiVersion').split('/').length > 2)
    throw new InvalidConvertedObject('unreadable', `Object 'Kind' is missing in '${rawText(value)}'`);
  return value;
}

function checkIdentity(object: JsonObject, metadata: JsonObject): void {
  for (const [key, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [expected, received] = [stringAt(metadata, key), stringAt(object, 'metadata', key)];
    if (expected !== received)
      throw new InvalidConvertedObject('identity', `must have the same ${name}: ${expected} != ${received}`);
  }
}

function* restoredMetadata(received: JsonValue | undefined, original: JsonObject): Steps<JsonObject> {
  if (received === undefined) throw new InvalidConvertedObject('metadata', 'missing metadata in converted object');
  if (!isObject(received))
    throw new InvalidConvertedObject(
      'metadata',
      `invalid metadata of type ${goTypeName(received) || '<nil>'} in converted object`,
    );
  const metadata = yield* cloneInSteps(original);
  for (const key of ['labels', 'annotations'] as const) {
    const sent = getKey(received, key) ?? null;
    if (sent === null) {
      delete metadata[key];
      continue;
    }
    const texts = textsOf(sent, key);
    if (differs(texts, getKey(metadata, key))) yield* checkTexts(texts, key);
    setKey<JsonValue>(metadata, key, texts);
  }
  return metadata;
}

type Texts = Record<string, string>;

function textsOf(sent: JsonValue, key: string): Texts {
  if (!isObject(sent))
    throw new InvalidConvertedObject(
      'metadata',
      `invalid metadata.${key} of type ${goTypeName(sent)} in converted object`,
    );
  for (const [name, value] of Object.entries(sent))
    if (typeof value !== 'string')
      throw new InvalidConvertedObject(
        'metadata',
        `metadata.${key}[${name}] must be a string, but is ${goTypeName(value) || '<nil>'} in converted object`,
      );
  return sent as Texts;
}

function differs(texts: Texts, original: JsonValue | undefined): boolean {
  const before = isObject(original) ? original : {};
  const names = Object.keys(texts);
  return (
    names.length !== Object.keys(before).length || names.some((name) => getKey(before, name) !== getKey(texts, name))
  );
}

/** Only labels and annotations that the webhook changed have to be valid. */
function* checkTexts(texts: Texts, key: 'labels' | 'annotations'): Steps<void> {
  const errors =
    key === 'labels'
      ? yield* validateLabels(texts, path('metadata', 'labels'))
      : yield* validateAnnotations(texts, path('metadata', 'annotation'));
  if (errors.length > 0) throw new InvalidConvertedObject('metadata', aggregateText(errors));
}
