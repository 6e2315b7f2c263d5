import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { compareElements, PathElement, type ItemKey } from '#shared/apimachinery/schema/path-element.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { compareUtf8, goQuote } from '#shared/apimachinery/text/go-format.ts';
import { FieldSet, type SetEntry } from './field-set.ts';

/**
 * The set that FieldsV1 (decoded JSON) describes. Elements of an unknown kind are dropped with everything
 * below them.
 * @throws FieldsV1Error if `fields` is not a set, or the text of an element is invalid
 */
export function* parseFieldsV1(fields: JsonValue | undefined): Steps<FieldSet> {
  if (fields === undefined || fields === null) return FieldSet.empty;
  if (!isObject(fields)) throw new FieldsV1Error('expect { or n');
  return yield* parseLevel(fields);
}

/** FieldsV1 with an element that cannot be read. */
export class FieldsV1Error extends Error {}

function* parseLevel(fields: JsonObject): Steps<FieldSet> {
  const entries: SetEntry[] = [];
  let isSorted = true;
  let last: PathElement | undefined;
  for (const text of Object.keys(fields)) {
    if (text === '.') continue;
    const element = parseElement(text);
    if (element === undefined) continue;
    if (last !== undefined && compareElements(last, element) >= 0) isSorted = false;
    last = element;
    const value = fields[text];
    if (value !== null && !isObject(value)) throw new FieldsV1Error('expect { or n');
    const children = value === null || isEmpty(value) ? FieldSet.empty : yield* parseLevel(value);
    // An element with nothing below it is itself a member.
    if (children.isEmpty) entries.push({ element, member: true, children: undefined });
    else entries.push({ element, member: Object.hasOwn(value as JsonObject, '.'), children });
    if (sliceIsOver()) yield;
  }
  if (isSorted) return FieldSet.ofSorted(entries);
  return yield* FieldSet.ofDoubles(entries);
}

function isEmpty(fields: JsonObject): boolean {
  for (const _ in fields) return false;
  return true;
}

function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldsV1Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldsV1Error(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return PathElement.field(text.slice(2));
    case 'k':
      return remembered(text);
    case 'v':
      return PathElement.value(parseElementJson(text));
    case 'i':
      return indexElement(text.slice(2));
    default:
      return undefined;
  }
}

/** Elements of list items by their texts: every write brings the same few. */
const keyElements = new Map<string, PathElement>();
const maxRemembered = 10_000;

function remembered(text: string): PathElement {
  let element = keyElements.get(text);
  if (element === undefined) {
    element = keyElement(parseElementJson(text));
    if (keyElements.size >= maxRemembered) keyElements.clear();
    if (text.length < 200) keyElements.set(text, element);
  }
  return element;
}

function parseElementJson(text: string): JsonValue {
  try {
    return JSON.parse(text.slice(2)) as JsonValue;
  } catch (error) {
    throw new FieldsV1Error(`invalid path element ${text}: ${(error as Error).message}`);
  }
}

function keyElement(value: JsonValue): PathElement {
  if (!isObject(value)) throw new FieldsV1Error('expect { or n');
  const keys = Object.entries(value) as ItemKey[];
  return PathElement.key(keys.length < 2 ? keys : keys.toSorted(([a], [b]) => compareUtf8(a, b)));
}

function indexElement(text: string): PathElement {
  if (!/^[+-]?\d+$/.test(text)) throw new FieldsV1Error(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  return PathElement.index(Number(text));
}

/** Thrown for a set whose FieldsV1 would be nested deeper than `maxDepth`. */
export class FieldsV1DepthError extends Error {}

/**
 * FieldsV1 of a set; print it with its keys in this order.
 * @throws FieldsV1DepthError if objects would be nested deeper than `maxDepth`
 */
export function formatFieldsV1(set: FieldSet, maxDepth = Number.POSITIVE_INFINITY): Steps<JsonObject> {
  return formatLevel(set, false, maxDepth);
}

function* formatLevel(set: FieldSet, withSelf: boolean, depthLeft: number): Steps<JsonObject> {
  if (depthLeft < 2) throw new FieldsV1DepthError();
  const out: JsonObject = withSelf ? { '.': {} } : {};
  for (const { element, member, children } of set.entries) {
    setKey(out, element.text, children === undefined ? {} : yield* formatLevel(children, member, depthLeft - 1));
    if (sliceIsOver()) yield;
  }
  return out;
}

/**
 * The text that `JSON.stringify` makes of {@link formatFieldsV1}.
 * @throws FieldsV1DepthError if objects would be nested deeper than `maxDepth`
 */
export function fieldsV1Text(set: FieldSet, maxDepth = Number.POSITIVE_INFINITY): string {
  return levelText(set, false, maxDepth);
}

function levelText({ entries }: FieldSet, withSelf: boolean, depthLeft: number): string {
  if (depthLeft < 2) throw new FieldsV1DepthError();
  let text = withSelf ? '{".":{}' : '{';
  for (let i = 0; i < entries.length; i++) {
    const { element, member, children } = entries[i] as SetEntry;
    if (text.length > 1) text += ',';
    text += element.json + ':' + (children === undefined ? '{}' : levelText(children, member, depthLeft - 1));
  }
  return text + '}';
}

/** How deep objects are nested in the FieldsV1 of a set. */
export function depthOfFieldsV1(set: FieldSet): number {
  return set.entries.reduce(
    (depth, { children }) => Math.max(depth, 1 + (children === undefined ? 1 : depthOfFieldsV1(children))),
    1,
  );
}
