import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Field, StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { encodeProtobuf } from '#shared/serializer/protobuf/encode.ts';

const lengthDelimited = 2;

/** The protobuf bytes before and after the items of a list. */
export interface ProtobufListFrame {
  readonly head: readonly Buffer[];
  readonly tail: readonly Buffer[];
}

/**
 * The envelope and the metadata of a list whose items are encoded already (`k8s\0`, runtime.Unknown).
 *
 * @param itemsBytes the bytes of all items, with their tags and lengths
 */
export function protobufListFrame(
  kind: GroupVersionKind,
  schema: StructSchema,
  metadata: JsonObject,
  itemsBytes: number,
): ProtobufListFrame {
  const items = fieldOf(schema, 'items');
  const { number, schema: metadataSchema } = fieldOf(schema, 'metadata');
  if (metadataSchema.kind !== 'struct') throw new Error(`${kind.kind} is not a list`);
  const listMeta = delimited(number, encodeProtobuf(metadataSchema, metadata));
  const typeMeta = Buffer.concat([
    delimited(1, Buffer.from(formatGroupVersion(kind))),
    delimited(2, Buffer.from(kind.kind)),
  ]);
  const envelope = Buffer.concat([
    Buffer.from('k8s\0', 'latin1'),
    delimited(1, typeMeta),
    delimitedHead(2, listMeta.length + itemsBytes),
  ]);
  // The envelope has content encoding and content type even when they are empty.
  const end = Buffer.concat([delimitedHead(3, 0), delimitedHead(4, 0)]);
  return number < items.number
    ? { head: [envelope, listMeta], tail: [end] }
    : { head: [envelope], tail: [listMeta, end] };
}

/** Field number of `items` in a list message. */
export function itemsField(schema: StructSchema): number {
  return fieldOf(schema, 'items').number;
}

function fieldOf(schema: StructSchema, name: string): Field {
  const field = schema.byName.get(name);
  if (field === undefined) throw new Error(`${schema.name} is not a list`);
  return field;
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
