import { isDeepStrictEqual } from 'node:util';
import { loadFacts } from '#shared/api/load-facts.ts';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parseCbor } from '#shared/serializer/cbor/decode-value.ts';
import { diagnose } from '#shared/serializer/cbor/diagnose.ts';
import { cborOfJson, encodeCborStored } from '#shared/serializer/cbor/encode.ts';
import { decodeBody } from '#shared/serializer/codec.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { mediaTypesWithCbor } from '#shared/serializer/negotiate.ts';
import { promise } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { configMapJson, podJson } from './samples.ts';

const facts = loadFacts();
const pod = { group: '', version: 'v1', kind: 'Pod' };
const samples = [podJson, configMapJson].map((json) => cborOfJson(undefined, Buffer.from(json)));

/**
 * Heads of every major type, the tags that mean something, floats of each width, lengths beyond what is there, breaks.
 */
const tokens = [
  '\xa1',
  '\x81',
  '\x9f',
  '\xbf',
  '\xff',
  '\x5f',
  '\x7f',
  '\x41a',
  '\x61a',
  '\xd9\xd9\xf7',
  '\xc0',
  '\xc1',
  '\xc2',
  '\xd5',
  '\xd6',
  '\xd7',
  '\xf4',
  '\xf6',
  '\xf7',
  '\xf8\xff',
  '\xf9\x3c\x00',
  '\xf9\x7e\x00',
  '\xfa\x47\xc3\x50\x00',
  '\xfb\x7f\xf0\x00\x00\x00\x00\x00\x00',
  '\x1b\xff\xff\xff\xff\xff\xff\xff\xff',
  '\x3b\x7f\xff\xff\xff\xff\xff\xff\xff',
  '\x5b\x7f\xff\xff\xff\xff\xff\xff\xff',
  '\x9b\x00\x00\x00\x00\x7f\xff\xff\xff',
  '\xba\x00\x20\x00\x01',
  '\x49__proto__\xa1\x41x\x01',
  '\x4bconstructor',
  '\x48metadata',
  '\x44kind',
  '\xa0',
  '\x80',
  '\x40',
  '\x20',
  '\x18\x18',
  '\x61\xff',
];

/** What was read is stored, and read from there as the same. */
function values(bytes: Buffer): void {
  const value = parseCbor(bytes);
  promise(diagnose(bytes) !== '', 'well-formed bytes have no notation');
  if (!isObject(value)) return;
  const stored = encodeCborStored(value);
  const back = parseCbor(stored);
  promise(isDeepStrictEqual(back, value), 'a value changes when it is stored');
  promise(isObject(back) && encodeCborStored(back).equals(stored), 'stored bytes are not always the same');
}

/** An object that was read is printed in CBOR, and read from there as the same. */
function bodies(bytes: Buffer): void {
  const options = {
    defaultGvk: pod,
    fieldValidation: (['Ignore', 'Warn', 'Strict'] as const)[bytes.length % 3] ?? 'Warn',
    mediaTypes: mediaTypesWithCbor,
  };
  const { object, schema, gvk } = atOnce(decodeBody(facts, 'application/cbor', bytes, options));
  const json = encodeJson(schema, object);
  const back = atOnce(
    decodeBody(facts, 'application/cbor', cborOfJson(schema, json), { ...options, defaultGvk: gvk }),
  ).object;
  promise(
    encodeJson(schema, back).equals(json),
    `read back as ${encodeJson(schema, back).toString()} instead of ${json.toString()}`,
  );
}

export const cborTargets: readonly FuzzTarget[] = [
  { name: 'cbor-value', samples, tokens, refusals: ['CborError', 'CborTypeError', 'RangeError'], run: values },
  { name: 'cbor-body', samples, tokens, refusals: ['StatusError'], run: bodies },
];
