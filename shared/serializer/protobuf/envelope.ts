import { formatGroupVersion, parseGroupVersion, type GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import { ProtobufError, ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import { ProtobufWriter } from '#shared/protobuf/protobuf-writer.ts';
import { readFields, type SmallMessage } from './small-message.ts';

/** `k8s\0`, in front of every protobuf object on the wire and in storage. */
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

/** A runtime.Unknown: the type of the object, and its bytes. */
export interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  /** A view of the given bytes. */
  readonly raw: Buffer;
  readonly contentEncoding: string;
  readonly contentType: string;
}

/** Whether bytes begin with the magic number of the protobuf form. */
export function isProtobuf(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && bytes[0] === 0x6b && bytes[1] === 0x38 && bytes[2] === 0x73 && bytes[3] === 0;
}

function writeText(writer: ProtobufWriter, text: string, tag: number): void {
  writer.varint(writer.text(text));
  writer.byte(tag);
}

const shared = new ProtobufWriter(16 * 1024);

/** Frames the protobuf of an object: `k8s\0` and a runtime.Unknown with empty content type and encoding. */
export function wrapUnknown(gvk: GroupVersionKind, raw: Uint8Array): Buffer {
  try {
    writeText(shared, '', 34);
    writeText(shared, '', 26);
    shared.bytes(raw);
    shared.varint(raw.length);
    shared.byte(18);
    const end = shared.written;
    writeText(shared, gvk.kind, 18);
    writeText(shared, formatGroupVersion(gvk), 10);
    shared.varint(shared.written - end);
    shared.byte(10);
    shared.bytes(magic);
    return shared.copy();
  } finally {
    shared.reset();
  }
}

/**
 * Opens an envelope; the raw bytes are a view.
 * @throws ProtobufError in the words of the reference's protobuf serializer
 */
export function unwrapUnknown(bytes: Uint8Array): Envelope {
  if (bytes.length === 0) throw new ProtobufError('empty data');
  if (!isProtobuf(bytes))
    throw new ProtobufError('provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]');
  if (bytes.length === magic.length) throw new ProtobufError('empty body');
  const reader = new ProtobufReader(bytes, magic.length);
  const end = reader.buffer.length;
  const envelope = {
    apiVersion: '',
    kind: '',
    raw: reader.buffer.subarray(0, 0),
    contentEncoding: '',
    contentType: '',
  };
  readFields(reader, unknown, end, (number) => {
    const stop = reader.block(end);
    if (number === 1) Object.assign(envelope, readTypeMeta(reader, stop));
    else if (number === 3) envelope.contentEncoding = reader.text(stop);
    else if (number === 4) envelope.contentType = reader.text(stop);
    else envelope.raw = reader.bytes(stop);
  });
  return envelope;
}

const unknown: SmallMessage = {
  name: 'Unknown',
  fields: [undefined, ['TypeMeta', 2], ['Raw', 2], ['ContentEncoding', 2], ['ContentType', 2]],
};
const typeMeta: SmallMessage = { name: 'TypeMeta', fields: [undefined, ['APIVersion', 2], ['Kind', 2]] };

function readTypeMeta(reader: ProtobufReader, stop: number): { apiVersion?: string; kind?: string } {
  const meta: { apiVersion?: string; kind?: string } = {};
  readFields(reader, typeMeta, stop, (number) => {
    meta[number === 1 ? 'apiVersion' : 'kind'] = reader.text(reader.block(stop));
  });
  return meta;
}

/** Group, version and kind that an envelope names. */
export function envelopeKind(envelope: Envelope): GroupVersionKind {
  return { ...parseGroupVersion(envelope.apiVersion), kind: envelope.kind };
}

/** A length-delimited frame of a protobuf watch: four bytes of length (big endian), then a metav1.WatchEvent. */
export function encodeWatchFrame(type: string, wrappedObject: Uint8Array): Buffer {
  try {
    shared.bytes(wrappedObject);
    shared.varint(wrappedObject.length);
    shared.byte(10);
    const size = shared.written;
    shared.varint(size);
    shared.byte(18);
    writeText(shared, type, 10);
    const length = shared.written;
    for (let shift = 0; shift < 32; shift += 8) shared.byte((length >>> shift) & 255);
    return shared.copy();
  } finally {
    shared.reset();
  }
}
