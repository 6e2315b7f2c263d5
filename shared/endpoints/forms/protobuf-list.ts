import type { JsonObject } from '../../apimachinery/json.ts';
import type { GroupVersionKind } from '../../apimachinery/gvk.ts';
import { formatGroupVersion } from '../../apimachinery/gvk.ts';
import type { StructSchema } from '../../apimachinery/schema.ts';
import { encodeProtobuf } from '../../serializer/protobuf/encode.ts';

const lengthDelimited = 2;

/**
 * The protobuf of a list in its envelope, from items that are encoded already: only the bytes around them are made
 * (`k8s\0`, runtime.Unknown, the list's metadata and a tag before each item).
 */
export function protobufListBody(kind: GroupVersionKind, schema: StructSchema, metadata: JsonObject, items: readonly Buffer[]): Buffer[] {
  const itemsField = schema.byName.get('items');
  const metadataField = schema.byName.get('metadata');
  if (itemsField === undefined || metadataField === undefined || metadataField.schema.kind !== 'struct') throw new Error(`${kind.kind} is not a list`);
  const metadataChunk = delimited(metadataField.number, encodeProtobuf(metadataField.schema, metadata));
  const chunks: Buffer[] = [];
  for (const item of items) chunks.push(delimitedHead(itemsField.number, item.length), item);
  if (metadataField.number < itemsField.number) chunks.unshift(metadataChunk);
  else chunks.push(metadataChunk);
  const size = chunks.reduce((total, chunk) => total + chunk.length, 0);
  const typeMeta = Buffer.concat([delimited(1, Buffer.from(formatGroupVersion(kind))), delimited(2, Buffer.from(kind.kind))]);
  const head = Buffer.concat([Buffer.from('k8s\0', 'latin1'), delimited(1, typeMeta), delimitedHead(2, size)]);
  // Content encoding and type stand in the envelope even when empty.
  return [head, ...chunks, delimitedHead(3, 0), delimitedHead(4, 0)];
}

function delimited(field: number, bytes: Uint8Array): Buffer {
  return Buffer.concat([delimitedHead(field, bytes.length), bytes]);
}

function delimitedHead(field: number, length: number): Buffer {
  const bytes: number[] = [field * 8 + lengthDelimited];
  let rest = length;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return Buffer.from(bytes);
}
