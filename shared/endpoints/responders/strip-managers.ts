import { Buffer } from 'node:buffer';
import { findMemberStart } from '#shared/apimachinery/json/json-bytes.ts';
import { skipManagers } from '#shared/apimachinery/json/skip-managers.ts';

const metadataKey = Buffer.from('"metadata"');
const objectKey = Buffer.from('"object"');
const managersKey = Buffer.from('"managedFields"');
const comma = 0x2c;

/** Where the object lies in the JSON: is it all of it, or that of a row of a Table. */
export type ObjectPlace = 'whole' | 'row';

/** The JSON of an object, as this server prints it, without `metadata.managedFields`; in one part or two. */
export function withoutFieldManagers(json: Buffer, place: ObjectPlace): Uint8Array[] {
  const object = place === 'whole' ? 0 : findMemberStart(json, 0, objectKey);
  const metadata = object < 0 ? -1 : findMemberStart(json, object, metadataKey);
  if (metadata < 0) return [json];
  const start = findMemberStart(json, metadata, managersKey);
  if (start < 0) return [json];
  const end = skipManagers(json, start);
  // The key with its colon, and the comma on one side of the member.
  const keyStart = start - managersKey.length - 1;
  return json[keyStart - 1] === comma
    ? [json.subarray(0, keyStart - 1), json.subarray(end)]
    : [json.subarray(0, keyStart), json.subarray(json[end] === comma ? end + 1 : end)];
}
