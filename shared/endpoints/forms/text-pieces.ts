import { Buffer } from 'node:buffer';
import { getKey, isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce, paced } from '#shared/apimachinery/slices/slices.ts';
import { cborOfJson } from '#shared/serializer/cbor/encode.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { prettyPieces } from '#shared/serializer/json/pretty-printer.ts';
import type { MediaType } from '#shared/serializer/negotiate.ts';
import { yamlItemPieces, yamlKeys, yamlPieces } from '#shared/serializer/yaml/emit.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { listPieces, type ListBody, type Pieces } from './list-body.ts';

const newline = Buffer.from('\n');
const pause = new Uint8Array(0);
/** Texts above this are parsed in steps. */
const longText = 64 * 1024;
const pauseMs = 1;

/** A body made from JSON without byte strings or floats: JSON, indented JSON, YAML or CBOR. */
export function textPieces(json: Buffer, mediaType: MediaType, pretty: boolean): Pieces {
  if (mediaType === 'application/cbor') return [cborOfJson(undefined, json)];
  if (mediaType === 'application/yaml') return yamlOf(json);
  // Indented JSON (for curl and browsers) has no line break at the end, unlike compact JSON.
  return pretty ? prettyPieces([json]) : [json, newline];
}

/** The bytes of {@link textPieces} at once, for short texts. */
export function textBody(json: Buffer, mediaType: MediaType, pretty: boolean): Buffer[] {
  return [Buffer.concat([...textPieces(json, mediaType, pretty)])];
}

function* yamlOf(json: Buffer): Generator<Uint8Array, void> {
  const value = yield* parsed(json);
  yield* yamlPieces(isObject(value) ? value : {});
}

function* parsed(json: Buffer): Generator<Uint8Array, JsonValue> {
  return json.length < longText ? atOnce(parseJson(json)) : yield* paced(parseJson(json), pauseMs, pause);
}

/** A list whose body is JSON, indented or as YAML. Its items are the member `itemsKey`. */
export function listTextPieces(body: ListBody, itemsKey: string, mediaType: MediaType): Pieces {
  return mediaType === 'application/yaml' ? yamlListPieces(body, itemsKey) : prettyPieces(listPieces(body));
}

/** Prints the keys in YAML's order, and the items one by one. */
function* yamlListPieces(body: ListBody, itemsKey: string): Generator<Uint8Array, void> {
  const around = atOnce(parseJson(Buffer.concat([...body.head, ...body.tail]))) as JsonObject;
  for (const key of yamlKeys(around)) {
    if (key === itemsKey && body.entries.length > 0) yield* yamlItems(body, itemsKey);
    else yield* yamlPieces({ [key]: getKey(around, key) as JsonValue });
  }
}

function* yamlItems(body: ListBody, itemsKey: string): Generator<Uint8Array, void> {
  yield Buffer.from(`${itemsKey}:\n`);
  for (const entry of body.entries) yield* yamlItemPieces(yield* parsed(itemText(body, entry)));
}

function itemText(body: ListBody, entry: CacheEntry): Buffer {
  const chunks = body.item(entry);
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined
    ? Buffer.from(only.buffer, only.byteOffset, only.length)
    : Buffer.concat(chunks);
}
