import { encodeKeyValue } from '#servers/store/mvcc/kv-encoding.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { encodeStored } from '#shared/serializer/codec.ts';
import { decodeProtobuf } from '#shared/serializer/protobuf/decode.ts';
import { encodeProtobuf } from '#shared/serializer/protobuf/encode.ts';
import { appendProtobufOfJson } from '#shared/serializer/protobuf/from-json.ts';
import { JoinedBytes } from '#shared/serializer/protobuf/joined-bytes.ts';
import { configMapFixture, podFixture } from '#shared/serializer/testdata/bench-objects.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { rangeResponse, txnRequest } from '#shared/storage/etcd-wire/kv-types.ts';

/** µs of the protobuf of storage, serializer and store, best of 15. Run: node --import tsx test/benchmark/wire.ts */
function measure(name: string, repeats: number, call: () => unknown): void {
  let best = Infinity;
  for (let round = 0; round < 15; round++) {
    const start = process.cpuUsage();
    for (let i = 0; i < repeats; i++) call();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / repeats);
  }
  console.log(`${name.padEnd(44)} ${best.toFixed(2)} µs`);
}

const facts = loadFacts();
for (const [kind, fixture] of Object.entries({ Pod: podFixture, ConfigMap: configMapFixture })) {
  const schema = facts.schema('', 'v1', kind) as StructSchema;
  const object = JSON.parse(JSON.stringify(fixture)) as typeof fixture;
  const bytes = encodeProtobuf(schema, object);
  const json = Buffer.from(JSON.stringify(fixture));
  const out = new JoinedBytes();
  measure(`${kind}: encode`, 2000, () => encodeProtobuf(schema, object));
  measure(`${kind}: decode`, 2000, () => decodeProtobuf(schema, bytes));
  measure(`${kind}: from JSON`, 2000, () => appendProtobufOfJson(schema, json, 0, out.clear(), () => out.reserve(10)));
  measure(`${kind}: encode stored`, 2000, () => encodeStored(schema, { group: '', version: 'v1', kind }, object));
}

const value = Buffer.alloc(1000, 'v');
const version = { createRevision: 1_000_003, modRevision: 1_000_123_456, version: 7, lease: '0' };
const kvs = Array.from({ length: 500 }, (_, i) => ({
  key: Buffer.from(`/registry/pods/default/pod-${i}`),
  value,
  ...version,
}));
const header = {
  clusterId: '14841639068965178418',
  memberId: '10276657743932975437',
  revision: 1_000_123_456,
  raftTerm: 2,
};
const range = encodeMessage(rangeResponse, { header, kvs, count: 500 });
const txn = {
  compare: [
    { target: 'MOD', result: 'EQUAL', key: Buffer.from('/registry/pods/default/pod-1'), modRevision: 1_000_123 },
  ],
  success: [{ requestPut: { key: Buffer.from('/registry/pods/default/pod-1'), value, lease: '7587848395843' } }],
  failure: [{ requestRange: { key: Buffer.from('/registry/pods/default/pod-1') } }],
} as const;
const txnBytes = encodeMessage(txnRequest, txn);
measure('etcd: encode an answer of 500 keys', 100, () => encodeMessage(rangeResponse, { header, kvs, count: 500 }));
measure('etcd: decode an answer of 500 keys', 100, () => decodeMessage(rangeResponse, range));
measure('etcd: encode a transaction', 20_000, () => encodeMessage(txnRequest, txn));
measure('etcd: decode a transaction', 20_000, () => decodeMessage(txnRequest, txnBytes));
measure('store: encode a stored version', 50_000, () =>
  encodeKeyValue({ key: '/registry/pods/default/pod-1', ...version }, value),
);
