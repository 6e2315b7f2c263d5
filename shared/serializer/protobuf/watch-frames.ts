import { Buffer } from 'node:buffer';
import type { GroupVersionKind } from '#shared/apimachinery/gvk.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { delimitedLength } from '#shared/protobuf/varint.ts';
import { wrapUnknown } from './envelope.ts';
import { appendProtobufOfJson } from './from-json.ts';
import { longestHead, type JoinedBytes } from './joined-bytes.ts';

/** The empty content encoding and content type, which end an envelope. */
const envelopeEnd = Buffer.from([0x1a, 0, 0x22, 0]);
const prefixBytes = 4;

/**
 * Appends frames of a protobuf watch (as `encodeWatchFrame` makes them) to a buffer, straight from the JSON of the
 * objects: one frame takes no memory of its own, which counts where a watch begins with thousands of objects.
 */
export class WatchFrames {
  readonly #schema: StructSchema;
  /** The magic number and the type of the object. */
  readonly #envelopeStart: Buffer;

  constructor(schema: StructSchema, kind: GroupVersionKind) {
    this.#schema = schema;
    const empty = wrapUnknown(kind, new Uint8Array(0));
    // Behind it are the empty object and what ends the envelope.
    this.#envelopeStart = empty.subarray(0, empty.length - 2 - envelopeEnd.length);
  }

  /** @param json the JSON of an object whose schema is that of the constructor */
  append(type: string, json: Buffer, out: JoinedBytes): void {
    appendProtobufOfJson(this.#schema, json, 0, out, (length) => this.#begin(type, length, out));
    out.append(envelopeEnd);
  }

  /** Writes everything in front of an object of this length. */
  #begin(type: string, length: number, out: JoinedBytes): void {
    const start = this.#envelopeStart;
    const envelope = start.length + delimitedLength(length) + 1 + envelopeEnd.length;
    const wrapped = 1 + delimitedLength(envelope);
    out.reserve(prefixBytes + type.length + start.length + 4 * longestHead);
    out.bytes.writeUInt32BE(2 + type.length + 1 + delimitedLength(wrapped), out.at);
    out.at += prefixBytes;
    out.head(1, type.length);
    out.at += out.bytes.write(type, out.at, 'latin1');
    out.head(2, wrapped);
    out.head(1, envelope);
    out.append(start);
    out.head(2, length);
  }
}
