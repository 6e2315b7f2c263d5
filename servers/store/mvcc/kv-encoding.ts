import { decodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import type { KeyValue } from '#shared/storage/etcd-wire/kv-messages.ts';
import { keyValue } from '#shared/storage/etcd-wire/kv-types.ts';
import { ProtoReader } from '#shared/storage/etcd-wire/proto-reader.ts';

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
    varintSize(keyLength) +
    keyLength +
    numberSize(createRevision) +
    numberSize(modRevision) +
    numberSize(version) +
    (leaseId === 0n ? 0 : 1 + bigSize(leaseId)) +
    (value.length === 0 ? 0 : 1 + varintSize(value.length) + value.length);
  // Not from Buffer's shared pool: a long-lived entry would keep the whole pool in memory.
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = putVarint(bytes, 0x0a, 0);
  at = putVarint(bytes, keyLength, at);
  at += bytes.write(key, at, keyLength, 'latin1');
  at = putNumber(bytes, 0x10, createRevision, at);
  at = putNumber(bytes, 0x18, modRevision, at);
  at = putNumber(bytes, 0x20, version, at);
  if (leaseId !== 0n) at = putBig(bytes, leaseId, putVarint(bytes, 0x30, at));
  if (value.length > 0) {
    at = putVarint(bytes, value.length, putVarint(bytes, 0x2a, at));
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
 * @throws ProtoError when the bytes are not a stored form
 */
export function headLength(bytes: Buffer): number | undefined {
  const reader = new ProtoReader(bytes);
  while (reader.position < bytes.length) {
    const at = reader.position;
    const tag = reader.uint32();
    if (tag === 0x2a) return at;
    if (tag !== 0x0a) {
      reader.skip(tag & 7, bytes.length);
      continue;
    }
    const keyLength = reader.uint32();
    reader.position += keyLength;
  }
  return reader.position > bytes.length ? undefined : reader.position;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 128)) size++;
  return size;
}

function numberSize(value: number): number {
  return value === 0 ? 0 : 1 + varintSize(value);
}

function bigSize(value: bigint): number {
  let size = 1;
  for (let rest = value; rest > 0x7fn; rest >>= 7n) size++;
  return size;
}

function putVarint(bytes: Buffer, value: number, offset: number): number {
  let at = offset;
  let rest = value;
  while (rest >= 0x80) {
    bytes[at++] = (rest % 128) | 0x80;
    rest = Math.floor(rest / 128);
  }
  bytes[at++] = rest;
  return at;
}

function putNumber(bytes: Buffer, tag: number, value: number, at: number): number {
  if (value === 0) return at;
  bytes[at] = tag;
  return putVarint(bytes, value, at + 1);
}

function putBig(bytes: Buffer, value: bigint, offset: number): number {
  let at = offset;
  let rest = value;
  while (rest > 0x7fn) {
    bytes[at++] = Number(rest & 0x7fn) | 0x80;
    rest >>= 7n;
  }
  bytes[at++] = Number(rest);
  return at;
}
