import { randomBytes } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { keepText } from './loose.ts';
import { parseJsonText, parsePrinted } from './parse.ts';
import { longestSharedSet, sharedFieldSet } from './shared-field-sets.ts';

// Field sets are half of what a small object is printed as. Objects of one kind have few different ones, so these are
// cut out of the text before it is parsed.

const list = '"managedFields":[{';
const key = '"fieldsV1":';
/** What may follow a field set, from its last bracket on: the next entry, its subresource, or the end of metadata. */
const nextEntry = '}},{"manager":"';
const subresource = '},"subresource":"';
const lastEntry = '}}]}';

/** Stands for a field set in the text that is parsed. It is random, so that no client can have written it. */
const standIn = `fields-${randomBytes(9).toString('hex')}`;
const quotedStandIn = `"${standIn}"`;

/** As `parsePrinted` at once, for an object in ASCII; its field sets are shared and frozen (`sharedFieldSet`). */
export function parseSharingSets(text: string): JsonValue {
  const start = text.indexOf(list);
  if (start >= 0) {
    const sets: JsonObject[] = [];
    const rest = cutSets(text, start + list.length, sets);
    if (rest !== undefined) {
      const value = atOnce(parsePrinted(rest));
      if (putBack(value, sets)) return value;
    }
  }
  return atOnce(parsePrinted(text));
}

/**
 * The text with stand-ins for field sets, which are added to `sets`; undefined for a text of another form. What is cut
 * is one JSON object that begins where a value begins, so it is the whole value, and the rest is JSON as before.
 */
function cutSets(text: string, start: number, sets: JsonObject[]): string | undefined {
  let rest = '';
  let from = 0;
  const ends = new SetEnds(text);
  for (let at = text.indexOf(key, start), isLast = false; !isLast;) {
    if (at < 0) return undefined;
    at += key.length;
    const found = ends.after(at);
    if (found === undefined) return undefined;
    const { end } = found;
    ({ isLast } = found);
    if (end - at <= longestSharedSet) {
      const set = text.slice(at, end);
      const shared = sharedFieldSet(set, () => fieldSet(set));
      if (!isObject(shared)) return undefined;
      sets.push(shared);
      rest += text.slice(from, at) + quotedStandIn;
      from = end;
    }
    at = text.indexOf(key, end);
  }
  return rest + text.slice(from);
}

/** Finds the ends of field sets from front to back, and looks through each part of the text once for each mark. */
class SetEnds {
  readonly #text: string;
  readonly #last: NextPlace;
  readonly #next: NextPlace;
  readonly #part: NextPlace;

  constructor(text: string) {
    this.#text = text;
    this.#last = new NextPlace(text, lastEntry);
    this.#next = new NextPlace(text, nextEntry);
    this.#part = new NextPlace(text, subresource);
  }

  /** Where the field set that begins here probably ends, and whether it is that of the last entry. */
  after(start: number): { end: number; isLast: boolean } | undefined {
    let end = this.#last.from(start);
    let isLast = true;
    const next = this.#next.from(start);
    if (next >= 0 && (end < 0 || next < end)) {
      end = next;
      isLast = false;
    }
    const part = this.#part.from(start);
    if (part >= 0 && (end < 0 || part < end)) {
      end = part;
      isLast = this.#text.startsWith('"}]', this.#text.indexOf('"', part + subresource.length));
    }
    return end < 0 ? undefined : { end: end + 1, isLast };
  }
}

/** The next place of a mark from rising positions on; -1 once there is none. */
class NextPlace {
  readonly #text: string;
  readonly #mark: string;
  /** Undefined before the first search. */
  #at: number | undefined;

  constructor(text: string, mark: string) {
    this.#text = text;
    this.#mark = mark;
  }

  from(start: number): number {
    if (this.#at === undefined || (this.#at >= 0 && this.#at < start)) this.#at = this.#text.indexOf(this.#mark, start);
    return this.#at;
  }
}

function fieldSet(text: string): JsonValue {
  try {
    const value = atOnce(parseJsonText(text));
    if (isObject(value)) keepText(value, text);
    return value;
  } catch {
    return null;
  }
}

/** Puts the field sets in the place of their stand-ins; returns whether each had its place. */
function putBack(value: JsonValue, sets: readonly JsonObject[]): boolean {
  const metadata = isObject(value) ? value['metadata'] : undefined;
  const entries = isObject(metadata) ? metadata['managedFields'] : undefined;
  if (!Array.isArray(entries)) return false;
  let count = 0;
  for (const entry of entries) {
    if (!isObject(entry) || entry['fieldsV1'] !== standIn) continue;
    const set = sets[count++];
    if (set !== undefined) entry['fieldsV1'] = set;
  }
  return count === sets.length;
}
