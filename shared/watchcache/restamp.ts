import { Buffer } from 'node:buffer';
import { findMember, type JsonRange } from '#shared/apimachinery/json/json-bytes.ts';
import type { CacheEntry } from './watch-cache.ts';

const metadataKey = Buffer.from('"metadata"');
const versionKey = Buffer.from('"resourceVersion"');

/**
 * The entry at another revision: `metadata.resourceVersion` of its JSON is replaced, nothing else. Deletions carry the
 * last state of the object with the revision of the deletion.
 */
export function restamp(entry: CacheEntry, revision: number): CacheEntry {
  const json = entry.json;
  const range = findResourceVersion(json);
  if (range === undefined) return { ...entry, json, revision };
  const text = `"${revision}"`;
  const stamped = Buffer.allocUnsafeSlow(json.length - (range.end - range.start) + text.length);
  json.copy(stamped, 0, 0, range.start);
  stamped.write(text, range.start, 'latin1');
  json.copy(stamped, range.start + text.length, range.end);
  return { ...entry, revision, json: stamped };
}

/** The range of the value of `metadata.resourceVersion`, quotes included. Expects compact JSON of an object. */
function findResourceVersion(json: Buffer): JsonRange | undefined {
  const metadata = findMember(json, 0, metadataKey);
  return metadata === undefined ? undefined : findMember(json, metadata.start, versionKey);
}
