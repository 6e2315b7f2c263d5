import { isObject, setKey, type JsonObject, type JsonValue } from '../json.ts';
import { compareUtf8 } from '../go-format.ts';
import { FieldSet, type SetEntry } from './field-set.ts';
import { PathElement, type ItemKey } from './path-element.ts';

/**
 * The set that FieldsV1 (decoded JSON) describes. Elements of kinds that are not known are dropped with all below them.
 * @throws FieldsV1Error where an element's text is no element
 */
export function parseFieldsV1(fields: JsonValue | undefined): FieldSet {
  return isObject(fields) ? parseLevel(fields).children ?? FieldSet.empty : FieldSet.empty;
}

/** FieldsV1 with an element that cannot be read. */
export class FieldsV1Error extends Error {}

function parseLevel(fields: JsonObject): { member: boolean; children: FieldSet | undefined } {
  const entries: SetEntry[] = [];
  let member = false;
  for (const text of Object.keys(fields)) {
    if (text === '.') {
      member = true;
      continue;
    }
    const element = parseElement(text);
    if (element === undefined) continue;
    const value = fields[text];
    const below = isObject(value) ? parseLevel(value) : leaf;
    entries.push({ element, member: below.member, children: below.children });
  }
  if (entries.length === 0) return leaf;
  return { member, children: unique(FieldSet.ofEntries(entries)) };
}

const leaf = { member: true, children: undefined };

/** Differently spelled texts may mean one element. */
function unique(set: FieldSet): FieldSet {
  const { entries } = set;
  const isDouble = (entry: SetEntry, i: number): boolean => i > 0 && entries[i - 1]?.element.text === entry.element.text;
  if (!entries.some(isDouble)) return set;
  return entries.reduce((out, entry) => out.union(FieldSet.ofSorted([entry])), FieldSet.empty);
}

function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FieldsV1Error('key must be 2 characters long:');
  if (text[1] !== ':') throw new FieldsV1Error(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f': return PathElement.field(text.slice(2));
    case 'k': return keyElement(parseElementJson(text));
    case 'v': return PathElement.value(parseElementJson(text));
    case 'i': return indexElement(text.slice(2));
    default: return undefined;
  }
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
  if (!/^[+-]?\d+$/.test(text)) throw new FieldsV1Error(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
  return PathElement.index(Number(text));
}

/** FieldsV1 of a set; print it with its keys in this order. */
export function formatFieldsV1(set: FieldSet): JsonObject {
  return formatLevel(set, false);
}

function formatLevel(set: FieldSet | undefined, withSelf: boolean): JsonObject {
  const out: JsonObject = withSelf ? { '.': {} } : {};
  if (set === undefined) return out;
  for (const { element, member, children } of set.entries) {
    setKey(out, element.text, children === undefined ? {} : formatLevel(children, member));
  }
  return out;
}
