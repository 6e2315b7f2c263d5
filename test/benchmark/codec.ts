import { loadFacts } from '#shared/api/load-facts.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeBody, decodeStored, encodeStored } from '#shared/serializer/codec.ts';
import { encodeJson } from '#shared/serializer/json/encode.ts';
import { podFixture, configMapFixture } from '#shared/serializer/testdata/bench-objects.ts';

/** Microseconds a call, best of five rounds. Run: node --import tsx test/benchmark/codec.ts */
function measure(name: string, call: () => unknown): void {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < 3000; i++) call();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / 3000 / 1000);
  }
  console.log(`${name.padEnd(34)} ${best.toFixed(1)} µs`);
}

const facts = loadFacts();
for (const [kind, fixture] of Object.entries({ Pod: podFixture, ConfigMap: configMapFixture })) {
  const gvk = { group: '', version: 'v1', kind };
  const schema = facts.schema('', 'v1', kind) as StructSchema;
  const json = Buffer.from(JSON.stringify(fixture));
  const { object } = atOnce(decodeBody(facts, undefined, json, { defaultGvk: gvk, fieldValidation: 'Strict' }));
  const stored = atOnce(encodeStored(schema, gvk, object));
  console.log(`${kind}: ${json.length} bytes of JSON, ${stored.length} stored`);
  measure('decode body (JSON, strict)', () =>
    atOnce(decodeBody(facts, undefined, json, { defaultGvk: gvk, fieldValidation: 'Strict' })),
  );
  measure('decode body (protobuf)', () =>
    atOnce(
      decodeBody(facts, 'application/vnd.kubernetes.protobuf', stored, { defaultGvk: gvk, fieldValidation: 'Strict' }),
    ),
  );
  measure('encode JSON', () => encodeJson(schema, object));
  measure('encode stored', () => atOnce(encodeStored(schema, gvk, object)));
  measure('decode stored', () => atOnce(decodeStored(facts, stored)));
  measure('JSON.parse, for scale', () => JSON.parse(json.toString('utf8')));
  measure('JSON.stringify, for scale', () => Buffer.from(JSON.stringify(object)));
}
