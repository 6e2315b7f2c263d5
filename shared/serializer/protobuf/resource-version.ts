import { Buffer } from 'node:buffer';
import { ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import { delimitedLength, writeVarint } from '#shared/protobuf/varint.ts';
import { unwrapUnknown } from './envelope.ts';

/** The key of `metadata` in every object, and that of `resourceVersion` in ObjectMeta. */
const [metadataKey, versionKey] = [10, 50];

/**
 * The message of an object at its revision, made from the bytes that are stored, in which the resourceVersion is empty.
 * Undefined where they are not of the form in which this server stores objects.
 */
export function storedMessageAt(stored: Buffer, revision: number): Buffer | undefined {
  const { raw } = unwrapUnknown(stored);
  const reader = new ProtobufReader(raw);
  if (raw.length === 0 || reader.varint(raw.length) !== metadataKey) return undefined;
  const end = reader.block(raw.length);
  const start = reader.position;
  const at = emptyVersionAt(reader, end);
  return at === undefined ? undefined : withVersion(raw, { start, at, end }, String(revision));
}

/** The position of the empty resourceVersion in the metadata; the fields before it are all texts. */
function emptyVersionAt(reader: ProtobufReader, end: number): number | undefined {
  while (reader.position < end) {
    const at = reader.position;
    const key = reader.varint(end);
    if (key > versionKey || (key & 7) !== 2) return undefined;
    const stop = reader.block(end);
    if (key === versionKey) return stop === reader.position ? at : undefined;
    reader.position = stop;
  }
  return undefined;
}

/** Where the metadata begins, where its empty resourceVersion is, and where it ends. */
interface Places {
  readonly start: number;
  readonly at: number;
  readonly end: number;
}

function withVersion(raw: Buffer, { start, at, end }: Places, version: string): Buffer {
  const metadata = end - start + version.length;
  const out = Buffer.allocUnsafe(1 + delimitedLength(metadata) + raw.length - end);
  out[0] = metadataKey;
  const from = writeVarint(out, metadata, 1);
  raw.copy(out, from, start, at + 1);
  const digits = from + at + 1 - start;
  out[digits] = version.length;
  out.write(version, digits + 1, 'latin1');
  raw.copy(out, digits + 1 + version.length, at + 2);
  return out;
}
