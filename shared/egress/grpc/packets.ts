import { Buffer } from 'node:buffer';
import { ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import { int64VarintBytes, tagBytes, varintBytes } from '#shared/protobuf/varint.ts';

/** Numbers of int64 that the proxy chooses are kept exactly; no sum is made of them. */
export type Id = bigint;

/** A packet that the proxy sends (`Packet` of konnectivity-client/proto/client/client.proto). */
export type ReceivedPacket =
  | { readonly type: 'dialResponse'; readonly random: Id; readonly connectId: Id; readonly error: string }
  | { readonly type: 'dialClosed'; readonly random: Id }
  | { readonly type: 'data'; readonly connectId: Id; readonly data: Buffer }
  | { readonly type: 'closeResponse'; readonly connectId: Id; readonly error: string }
  | { readonly type: 'other' };

/** `PacketType`. */
const types = { dialRequest: 0, dialResponse: 1, closeRequest: 2, closeResponse: 3, data: 4, closeDial: 5 } as const;
/** Numbers of the fields of `Packet`. */
const payloads = { dialRequest: 2, dialResponse: 3, data: 4, closeRequest: 5, closeResponse: 6, closeDial: 7 } as const;

export function dialRequest(address: string, random: Id): Buffer {
  return packet('dialRequest', [text(1, 'tcp'), text(2, address), id(3, random)]);
}

export function closeRequest(connectId: Id): Buffer {
  return packet('closeRequest', [id(1, connectId)]);
}

export function closeDial(random: Id): Buffer {
  return packet('closeDial', [id(1, random)]);
}

export function dataPacket(connectId: Id, data: Uint8Array): Buffer {
  return packet('data', [id(1, connectId), block(3, data)]);
}

function packet(type: keyof typeof types, fields: readonly Uint8Array[]): Buffer {
  return Buffer.concat([tagBytes(1, 0), varintBytes(types[type]), block(payloads[type], Buffer.concat(fields))]);
}

function id(number: number, value: Id): Uint8Array {
  return Buffer.concat([tagBytes(number, 0), int64VarintBytes(value)]);
}

function text(number: number, value: string): Uint8Array {
  return block(number, Buffer.from(value));
}

function block(number: number, content: Uint8Array): Uint8Array {
  return Buffer.concat([tagBytes(number, 2), varintBytes(content.length), content]);
}

/** The fields of one level of a message, by number; of repeated ones the last. */
interface Fields {
  readonly ids: ReadonlyMap<number, Id>;
  readonly blocks: ReadonlyMap<number, Buffer>;
}

/** @throws ProtobufError for bytes that are no packet */
export function decodePacket(bytes: Buffer): ReceivedPacket {
  const { ids, blocks } = fieldsOf(bytes, 'Packet');
  const payload = (name: keyof typeof payloads): Fields =>
    fieldsOf(blocks.get(payloads[name]) ?? Buffer.alloc(0), name);
  switch (Number(ids.get(1) ?? 0n)) {
    case types.dialResponse: {
      const fields = payload('dialResponse');
      return { type: 'dialResponse', random: idIn(fields, 3), connectId: idIn(fields, 2), error: textIn(fields, 1) };
    }
    case types.closeDial:
      return { type: 'dialClosed', random: idIn(payload('closeDial'), 1) };
    case types.data: {
      const fields = payload('data');
      return { type: 'data', connectId: idIn(fields, 1), data: fields.blocks.get(3) ?? Buffer.alloc(0) };
    }
    case types.closeResponse: {
      const fields = payload('closeResponse');
      return { type: 'closeResponse', connectId: idIn(fields, 2), error: textIn(fields, 1) };
    }
    default:
      return { type: 'other' };
  }
}

function fieldsOf(bytes: Buffer, message: string): Fields {
  const reader = new ProtobufReader(bytes);
  const ids = new Map<number, Id>();
  const blocks = new Map<number, Buffer>();
  while (reader.position < bytes.length) {
    const tag = reader.tag(message, bytes.length);
    const [number, wireType] = [tag >> 3, tag & 7];
    if (wireType === 0) ids.set(number, reader.varintBig(bytes.length));
    else if (wireType === 2) blocks.set(number, reader.bytes(reader.block(bytes.length)));
    else reader.skip(wireType, bytes.length);
  }
  return { ids, blocks };
}

function idIn({ ids }: Fields, number: number): Id {
  return ids.get(number) ?? 0n;
}

function textIn({ blocks }: Fields, number: number): string {
  return blocks.get(number)?.toString('utf8') ?? '';
}
