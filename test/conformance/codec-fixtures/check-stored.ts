import { loadFacts } from '#shared/api/load-facts.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeStored, encodeStored } from '#shared/serializer/codec.ts';

interface RangeAnswer {
  readonly kvs?: readonly { readonly key: string; readonly value: string }[];
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * Reads everything that a reference kube-apiserver stored in the etcd at the URL of the first argument, and compares
 * each value, byte for byte, with what our codec makes of it after decoding. Custom resources (JSON of the client's own
 * order) are left out.
 */
async function main(etcdUrl: string): Promise<void> {
  const facts = loadFacts();
  const range = { key: base64('/registry/'), range_end: base64('/registry0') };
  const answer = await fetch(`${etcdUrl}/v3/kv/range`, { method: 'POST', body: JSON.stringify(range) });
  const { kvs = [] } = (await answer.json()) as RangeAnswer;
  let passed = 0;
  let failed = 0;
  for (const kv of kvs) {
    const value = Buffer.from(kv.value, 'base64');
    const { object, gvk } = atOnce(decodeStored(facts, value));
    const schema = facts.schema(gvk.group, gvk.version, gvk.kind);
    if (schema === undefined) continue;
    const same = atOnce(encodeStored(schema, gvk, object)).equals(value);
    if (same) passed++;
    else failed++;
    if (!same) console.log(`${Buffer.from(kv.key, 'base64').toString()} differs`);
  }
  console.log(`${passed} of ${passed + failed} stored values are the same`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

await main(process.argv[2] ?? 'http://127.0.0.1:2379');
