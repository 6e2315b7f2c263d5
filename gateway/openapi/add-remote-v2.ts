import { Buffer } from 'node:buffer';
import type { JsonObject, JsonValue } from '../../shared/apimachinery/json.ts';
import { isObject, setKey } from '../../shared/apimachinery/json.ts';
import { definitionEntry, documentMessage, pathEntry } from '../../shared/endpoints/openapi/v2-protobuf.ts';
import { mergeV2, mergeV2Protobuf } from './merge-v2.ts';
import { renameConflicts } from './select-v2.ts';
import type { V2Parts } from './select-v2.ts';

/** A document in both forms. */
export interface V2Forms {
  readonly json: Buffer;
  /** Made from `json` and the parts alike, so that names are the same in both. */
  readonly protobuf: Buffer | undefined;
}

/**
 * Adds the parts of registered servers to our own document. A path that is there already stays; definitions of one name
 * that differ are told apart. A part that cannot be added is left out.
 */
export function addRemoteV2(own: V2Forms, remote: readonly V2Parts[]): V2Forms {
  let forms = own;
  for (const parts of remote) {
    try {
      forms = add(forms, parts);
    } catch {
      continue;
    }
  }
  return forms;
}

function add({ json, protobuf }: V2Forms, parts: V2Parts): V2Forms {
  const definitionsAt = json.indexOf('"definitions":{');
  const renamed = renameConflicts(parts, (name) => objectAfter(json, `${JSON.stringify(name)}:{`, definitionsAt));
  const paths = Object.create(null) as JsonObject;
  for (const [path, item] of Object.entries(renamed.paths)) if (json.indexOf(`${JSON.stringify(path)}:{`) < 0) setKey(paths, path, item);
  const { definitions } = renamed;
  const small = Buffer.from(JSON.stringify({ paths, definitions }));
  if (protobuf === undefined) return { json: mergeV2(json, small), protobuf };
  const message = documentMessage({ swagger: '2.0', info: {} }, entries(paths, pathEntry), entries(definitions, definitionEntry));
  return { json: mergeV2(json, small), protobuf: mergeV2Protobuf(protobuf, message) };
}

function entries(of: JsonObject, encode: (name: string, value: JsonObject) => Buffer): Buffer[] {
  return Object.entries(of).flatMap(([name, value]) => (isObject(value) ? [encode(name, value)] : []));
}

/** The object that begins at the end of `key`, without reading the rest of the document. */
function objectAfter(document: Buffer, key: string, from: number): JsonValue | undefined {
  const at = document.indexOf(key, from);
  if (at < 0) return undefined;
  const start = at + Buffer.byteLength(key) - 1;
  let depth = 0;
  let quoted = false;
  for (let end = start; end < document.length; end++) {
    const byte = document[end];
    if (quoted) {
      if (byte === 0x5c) end++;
      else if (byte === 0x22) quoted = false;
    } else if (byte === 0x22) quoted = true;
    else if (byte === 0x7b) depth++;
    else if (byte === 0x7d && --depth === 0) return JSON.parse(document.toString('utf8', start, end + 1)) as JsonValue;
  }
  return undefined;
}
