import { Buffer } from 'node:buffer';
import { findMember, findMemberStart, skipValue, type JsonRange } from '#shared/apimachinery/json/json-bytes.ts';
import type { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';
import { closeBrace } from '#shared/apimachinery/json/json-punctuation.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { skipManagers } from '#shared/apimachinery/json/skip-managers.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';

// Finds a few fields of an entry in its bytes. Parsing the rest would be most of the cost of a cold read.

/** How the JSON of built-in types begins; custom resources are printed with sorted keys. */
const builtinStart = Buffer.from('{"kind":');
const metadataKey = Buffer.from('"metadata"');
const uidKey = Buffer.from('"uid"');
const managersKey = Buffer.from('"managedFields"');
const daemonSetStart = Buffer.from('{"kind":"DaemonSet","apiVersion":"apps/v1",');
/**
 * The annotation that the reference keeps in a field of its internal type; a PartialObjectMetadata is made of the
 * internal type, hence without it (pkg/apis/apps/v1/conversion.go).
 */
export const templateGenerationAnnotation = 'deprecated.daemonset.template.generation';

/** Compares byte by byte: most texts differ in their first bytes, and a call would cost more. */
function startsWith(json: Buffer, start: Buffer): boolean {
  for (let at = 0; at < start.length; at++) if (json[at] !== start[at]) return false;
  return true;
}

/**
 * Where the metadata of a built-in object begins, if its bytes can be shown as they are; -1 if the metadata has to be
 * printed.
 */
export function metadataStart({ json }: CacheEntry): number {
  if (!startsWith(json, builtinStart)) return -1;
  const start = findMemberStart(json, 0, metadataKey);
  if (
    start >= 0 &&
    startsWith(json, daemonSetStart) &&
    json.subarray(start, skipValue(json, start)).includes(templateGenerationAnnotation)
  )
    return -1;
  return start;
}

/** The start of {@link metadataStart} with the end of the metadata. */
export function metadataRange(entry: CacheEntry): JsonRange | undefined {
  const start = metadataStart(entry);
  return start < 0 ? undefined : { start, end: metadataEnd(entry.json, start) };
}

/** Where metadata ends; `managedFields` is its last member. */
export function metadataEnd(json: Buffer, start: number): number {
  const managers = findMemberStart(json, start, managersKey);
  const end = managers < 0 ? -1 : skipManagers(json, managers);
  return json[end] === closeBrace ? end + 1 : skipValue(json, start);
}

/** `metadata.uid` of an entry; empty if it has none. */
export function uidOf({ json }: CacheEntry): string {
  const metadata = findMemberStart(json, 0, metadataKey);
  const uid = metadata < 0 ? undefined : findMember(json, metadata, uidKey);
  return uid === undefined ? '' : (JSON.parse(json.toString('utf8', uid.start, uid.end)) as string);
}

/**
 * The object of an entry for tables: the fields that the row of its kind shows, or everything except managedFields,
 * which no table shows.
 */
export function shownObject(entry: CacheEntry, { reads }: KindRows): KubeObject {
  const value = atOnce(parsePrinted(shownText(entry.json, reads)));
  if (!isObject(value)) throw new Error(`${entry.key} is not an object`);
  return asKubeObject(value);
}

function shownText(json: Buffer, reads: JsonProjection | undefined): string {
  if (!startsWith(json, builtinStart)) return json.toString('utf8');
  if (reads !== undefined) return reads.textOf(json);
  const metadata = findMemberStart(json, 0, metadataKey);
  const managers = metadata < 0 ? undefined : findMember(json, metadata, managersKey);
  if (managers === undefined) return json.toString('utf8');
  // `managedFields` is never the first member, so a comma precedes it.
  return json.toString('utf8', 0, managers.start - managersKey.length - 2) + json.toString('utf8', managers.end);
}
