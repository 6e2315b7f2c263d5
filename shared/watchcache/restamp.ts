import { Buffer } from 'node:buffer';
import type { CacheEntry } from './watch-cache.ts';

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const metadataKey = Buffer.from('"metadata"');
const versionKey = Buffer.from('"resourceVersion"');

/**
 * The entry at another revision: `metadata.resourceVersion` of its JSON is replaced, nothing else. Deletions carry the last
 * state of the object with the revision of the deletion.
 */
export function restamp(entry: CacheEntry, revision: number): CacheEntry {
  const json = entry.json;
  const range = findResourceVersion(json);
  if (range === undefined) return { ...entry, revision };
  const text = `"${revision}"`;
  const stamped = Buffer.allocUnsafeSlow(json.length - (range.end - range.start) + text.length);
  json.copy(stamped, 0, 0, range.start);
  stamped.write(text, range.start, 'latin1');
  json.copy(stamped, range.start + text.length, range.end);
  return { ...entry, revision, json: stamped };
}

/** Where the value of `metadata.resourceVersion` stands, quotes included. Expects compact JSON of an object. */
function findResourceVersion(json: Buffer): { readonly start: number; readonly end: number } | undefined {
  const metadata = findValue(json, 0, metadataKey);
  return metadata === undefined ? undefined : findValue(json, metadata.start, versionKey);
}

/** The value of a key of the object that begins at `at`; nested objects and strings are skipped. */
function findValue(json: Buffer, at: number, key: Buffer): { readonly start: number; readonly end: number } | undefined {
  if (json[at] !== openBrace) return undefined;
  let position = at + 1;
  while (json[position] === quote) {
    const keyEnd = stringEnd(json, position);
    const valueEnd = skipValue(json, keyEnd + 1);
    if (keyEnd - position === key.length && json.compare(key, 0, key.length, position, keyEnd) === 0) {
      return { start: keyEnd + 1, end: valueEnd };
    }
    position = valueEnd + 1;
  }
  return undefined;
}

/** After the closing quote of the string that begins at `at`. */
function stringEnd(json: Buffer, at: number): number {
  let end = json.indexOf(quote, at + 1);
  while (end > 0 && isEscaped(json, end)) end = json.indexOf(quote, end + 1);
  return end < 0 ? json.length : end + 1;
}

function isEscaped(json: Buffer, at: number): boolean {
  let slashes = 0;
  while (json[at - 1 - slashes] === backslash) slashes += 1;
  return slashes % 2 === 1;
}

/** After the value that begins at `at`: at the comma or bracket that follows it. */
function skipValue(json: Buffer, at: number): number {
  if (json[at] === quote) return stringEnd(json, at);
  let depth = 0;
  for (let position = at; position < json.length; ) {
    const byte = json[position];
    if (byte === quote) {
      position = stringEnd(json, position);
      continue;
    }
    if (byte === openBrace || byte === openBracket) depth += 1;
    else if (byte === closeBrace || byte === closeBracket) {
      if (depth === 0) return position;
      depth -= 1;
      if (depth === 0) return position + 1;
    } else if (byte === 0x2c && depth === 0) return position;
    position += 1;
  }
  return json.length;
}
