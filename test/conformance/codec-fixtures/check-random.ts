import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Facts } from '#shared/api/facts.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeCbor } from '#shared/serializer/cbor/decode-typed.ts';
import { cborOfJson } from '#shared/serializer/cbor/encode.ts';
import { checkWellFormed } from '#shared/serializer/cbor/well-formed.ts';
import { conform } from '#shared/serializer/json/conform.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { decodeProtobuf } from '#shared/serializer/protobuf/decode.ts';
import { encodeProtobuf } from '#shared/serializer/protobuf/encode.ts';
import { envelopeKind, unwrapUnknown, wrapUnknown } from '#shared/serializer/protobuf/envelope.ts';

/** Where two buffers part, with some bytes around. */
function difference(got: Buffer, want: Buffer): string {
  let at = 0;
  while (at < got.length && got[at] === want[at]) at++;
  const from = Math.max(0, at - 60);
  return `at ${at}:\n    got  ${JSON.stringify(got.toString('utf8', from, at + 60))}\n    want ${JSON.stringify(want.toString('utf8', from, at + 60))}`;
}

function decodeWire(schema: StructSchema, bytes: Buffer): JsonObject {
  const envelope = unwrapUnknown(bytes);
  const object = decodeProtobuf(schema, envelope.raw);
  return envelope.kind === '' ? object : { ...object, apiVersion: envelope.apiVersion, kind: envelope.kind };
}

function problems(schema: StructSchema, json: Buffer, wire: Buffer, cbor: Buffer): string[] {
  const out: string[] = [];
  const expect = (what: string, got: Buffer, want: Buffer): void => {
    if (!got.equals(want)) out.push(`${what} ${difference(got, want)}`);
  };
  const gvk = envelopeKind(unwrapUnknown(wire));
  const fromText = atOnce(conform(schema, atOnce(parseJson(json)), { strict: true }));
  if (fromText.strictErrors.length > 0) out.push(fromText.strictErrors.join(', '));
  const fromWire = decodeWire(schema, wire);
  const line = Buffer.from('\n');
  expect('JSON from protobuf', Buffer.concat([encodeJson(schema, fromWire), line]), json);
  expect('JSON from JSON', Buffer.concat([encodeJson(schema, fromText.object), line]), json);
  expect('protobuf from protobuf', wrapUnknown(gvk, encodeProtobuf(schema, fromWire)), wire);
  expect('protobuf from JSON', wrapUnknown(gvk, encodeProtobuf(schema, fromText.object)), wire);
  expect('CBOR from JSON', cborOfJson(schema, json, 'bytewise'), cbor);
  checkWellFormed(cbor);
  const { object, unknownField } = decodeCbor(schema, cbor);
  if (unknownField !== undefined) out.push(unknownField);
  // Raw JSON within comes back with sorted keys.
  const back = encodeJson(schema, object);
  if (!isDeepStrictEqual(atOnce(parseJson(back)), atOnce(parseJson(json)))) expect('JSON from CBOR', back, json);
  return out;
}

function schemaOf(facts: Facts, file: string): StructSchema | undefined {
  const parts = file.split('.').slice(0, -2);
  const group = parts.slice(0, -2).join('.');
  return facts.schema(group === 'core' ? '' : group, parts.at(-2) ?? '', parts.at(-1) ?? '');
}

/** Compares, byte for byte, with what random/main.go printed into the folder of the first argument. */
function main(folder: string): void {
  const facts = loadFacts();
  const counts = { passed: 0, failed: 0, withoutSchema: 0 };
  const unknown = new Set<string>();
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    const schema = schemaOf(facts, file);
    if (schema === undefined) {
      counts.withoutSchema++;
      unknown.add(file.split('.').slice(0, -2).join('.'));
      continue;
    }
    const found = check(
      schema,
      ...((['json', 'pb', 'cbor'] as const).map((form) => readFileSync(join(folder, file.replace(/json$/, form)))) as [
        Buffer,
        Buffer,
        Buffer,
      ]),
    );
    counts[found.length === 0 ? 'passed' : 'failed']++;
    if (found.length > 0) console.log(`${file}\n  ${found.join('\n  ')}`);
  }
  console.log(`no schema: ${[...unknown].join(', ')}`);
  console.log(counts);
  process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0;
}

function check(schema: StructSchema, json: Buffer, wire: Buffer, cbor: Buffer): string[] {
  try {
    return problems(schema, json, wire, cbor);
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 4).join(' ') : String(error)];
  }
}

main(process.argv[2] ?? '.');
