import { ProtobufReader } from '#shared/protobuf/protobuf-reader.ts';
import {
  bigVarintLength,
  delimitedLength,
  varintLength,
  writeBigVarint,
  writeVarint,
} from '#shared/protobuf/varint.ts';
import { decodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import type { KeyValue } from '#shared/storage/etcd-wire/kv-messages.ts';
import { keyValue } from '#shared/storage/etcd-wire/kv-types.ts';

/** A version of a key, without its value. */
export interface KeyVersion {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  readonly version: number;
  readonly lease: string;
}

/**
 * Encodes the stored form of a version, which is a `mvccpb.KeyValue`, so that answers and events copy bytes without
 * encoding. The value is the last field (protobuf allows any order), so the bytes before it are the keys-only form.
 */
export function encodeKeyValue(
  { key, createRevision, modRevision, version, lease }: KeyVersion,
  value: Uint8Array,
): Buffer {
  const keyLength = key.length;
  const leaseId = lease === '0' ? 0n : BigInt.asUintN(64, BigInt(lease));
  const size =
    1 +
    delimitedLength(keyLength) +
    numberSize(createRevision) +
    numberSize(modRevision) +
    numberSize(version) +
    (leaseId === 0n ? 0 : 1 + bigVarintLength(leaseId)) +
    (value.length === 0 ? 0 : 1 + delimitedLength(value.length));
  // Not from Buffer's shared pool: a long-lived entry would keep the whole pool in memory.
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = writeVarint(bytes, 0x0a, 0);
  at = writeVarint(bytes, keyLength, at);
  at += bytes.write(key, at, keyLength, 'latin1');
  at = putNumber(bytes, 0x10, createRevision, at);
  at = putNumber(bytes, 0x18, modRevision, at);
  at = putNumber(bytes, 0x20, version, at);
  if (leaseId !== 0n) at = writeBigVarint(bytes, leaseId, writeVarint(bytes, 0x30, at));
  if (value.length > 0) {
    at = writeVarint(bytes, value.length, writeVarint(bytes, 0x2a, at));
    bytes.set(value, at);
  }
  return bytes;
}

export function decodeKeyValue(bytes: Buffer): KeyValue {
  return decodeMessage(keyValue, bytes);
}

/** Decodes all fields except the value. @param end length of the stored form without its value */
export function decodeHead(bytes: Buffer, end: number): Omit<KeyValue, 'value'> {
  return decodeMessage(keyValue, bytes, 0, end);
}

/** The key of a stored form, from its first bytes; undefined if more bytes are needed. */
export function storedKeyOf(start: Buffer): string | undefined {
  const reader = new ProtobufReader(start);
  reader.position = 1;
  const length = reader.varint(start.length);
  const end = reader.position + length;
  return end > start.length ? undefined : start.toString('latin1', reader.position, end);
}

/** The stored form without its value. */
export function withoutValue(bytes: Buffer): Buffer {
  return bytes.subarray(0, headLength(bytes));
}

/** The value of a stored form, as a view of its bytes. */
export function storedValueOf(bytes: Buffer): Buffer {
  return decodeKeyValue(bytes).value;
}

/**
 * Length of the stored form without its value, from its first bytes; undefined if more bytes are needed.
 * @throws ProtobufError when the bytes are not a stored form
 */
export function headLength(bytes: Buffer): number | undefined {
  const reader = new ProtobufReader(bytes);
  while (reader.position < bytes.length) {
    const at = reader.position;
    const tag = reader.varint(bytes.length);
    if (tag === 0x2a) return at;
    if (tag !== 0x0a) {
      reader.skip(tag & 7, bytes.length);
      continue;
    }
    const keyLength = reader.varint(bytes.length);
    reader.position += keyLength;
  }
  return reader.position > bytes.length ? undefined : reader.position;
}

function numberSize(value: number): number {
  return value === 0 ? 0 : 1 + varintLength(value);
}

function putNumber(bytes: Buffer, tag: number, value: number, at: number): number {
  if (value === 0) return at;
  bytes[at] = tag;
  return writeVarint(bytes, value, at + 1);
}
