import { Buffer } from 'node:buffer';
import { isObject } from '../../apimachinery/json.ts';
import { eachMember, findMember, findMemberStart, skipValue, type JsonRange } from '../../apimachinery/json-bytes.ts';
import { asKubeObject, type KubeObject } from '../../apimachinery/object.ts';
import { parsePrinted } from '../../serializer/json/parse.ts';
import type { CacheEntry } from '../../watchcache/watch-cache.ts';

// What few fields of an entry tell, found in its bytes: what the rest would cost to parse is most of a cold read.

/** How the JSON of built-in types begins; custom resources are printed with sorted keys. */
const builtinStart = Buffer.from('{"kind":');
const metadataKey = Buffer.from('"metadata"');
const managersKey = Buffer.from('"managedFields"');
/** Of these a table tells how many keys they have. */
const countedKeys = [Buffer.from('"data"'), Buffer.from('"binaryData"')];
const countedStarts = [Buffer.from('{"kind":"ConfigMap","apiVersion":"v1",'), Buffer.from('{"kind":"Secret","apiVersion":"v1",')];

const daemonSetStart = Buffer.from('{"kind":"DaemonSet","apiVersion":"apps/v1",');
/** What the reference keeps in a field of its internal type, which is where metadata alone is taken from (pkg/apis/apps/v1/conversion.go). */
export const templateGeneration = 'deprecated.daemonset.template.generation';

function startsWith(json: Buffer, start: Buffer): boolean {
  return json.length >= start.length && start.compare(json, 0, start.length) === 0;
}

/** Where the metadata of a built-in object begins as it is shown by itself; -1 where it has to be printed for that. */
export function metadataStart({ json }: CacheEntry): number {
  if (!startsWith(json, builtinStart)) return -1;
  const start = findMemberStart(json, 0, metadataKey);
  if (start >= 0 && startsWith(json, daemonSetStart) && json.subarray(start, skipValue(json, start)).includes(templateGeneration)) return -1;
  return start;
}

/** The same with its end. */
export function metadataRange(entry: CacheEntry): JsonRange | undefined {
  const start = metadataStart(entry);
  return start < 0 ? undefined : { start, end: skipValue(entry.json, start) };
}

/** The object of an entry for tables, of which none shows who owns its fields: without that, and with empty values where keys are counted. */
export function shownObject(entry: CacheEntry): KubeObject {
  const value = parsePrinted(shownText(entry.json));
  if (!isObject(value)) throw new Error(`${entry.key} is not an object`);
  return asKubeObject(value);
}

function shownText(json: Buffer): string {
  const metadata = startsWith(json, builtinStart) ? findMember(json, 0, metadataKey) : undefined;
  if (metadata === undefined) return json.toString('utf8');
  const managers = findMember(json, metadata.start, managersKey);
  let text = '';
  let from = 0;
  if (managers !== undefined) {
    // They are never the first member.
    text = json.toString('utf8', 0, managers.start - managersKey.length - 2);
    from = managers.end;
  }
  if (!countedStarts.some((start) => startsWith(json, start))) return text + json.toString('utf8', from);
  eachMember(json, 0, (key, range) => {
    if (range.end <= from || !countedKeys.some((counted) => counted.equals(json.subarray(key.start, key.end)))) return;
    text += json.toString('utf8', from, range.start) + keysAlone(json, range);
    from = range.end;
  });
  return text + json.toString('utf8', from);
}

/** An object with the same keys and nothing below them. */
function keysAlone(json: Buffer, range: JsonRange): string {
  const members: string[] = [];
  eachMember(json, range.start, (key) => members.push(`${json.toString('utf8', key.start, key.end)}:""`));
  return `{${members.join(',')}}`;
}
