// Compares what this server and the reference store, and what a deletion leaves, by flags on storage:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run-storage-flags.ts
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from '../../../shared/storage/create-storage.ts';
import type { JsonClient } from '../../json-client.ts';
import { referenceProgram, startEtcd } from '../../reference.ts';
import { startPair } from './pair.ts';

const flagSets = [
  [], ['--storage-media-type=application/json'], ['--storage-media-type=application/yaml'], ['--enable-garbage-collector=false'], ['--delete-collection-workers=5', '--lease-reuse-duration-seconds=1'],
];
const objects = {
  '/api/v1/namespaces/default/configmaps': { metadata: { name: 'stored', labels: { b: '1', a: 'yes' } }, data: { 'x.y': 'line\nanother: "quoted"\n', empty: '' } },
  '/api/v1/namespaces/default/services': { metadata: { name: 'stored' }, spec: { clusterIP: 'None', ports: [{ port: 80 }] } },
  '/apis/coordination.k8s.io/v1/namespaces/default/leases': { metadata: { name: 'stored', finalizers: ['a.b/c'] }, spec: { leaseDurationSeconds: 1 } },
};
const etcdProgram = referenceProgram('etcd');
if (etcdProgram === undefined) throw new Error('REFERENCE_BIN holds no etcd');
const folder = mkdtempSync(join(tmpdir(), 'storage-flags-'));

/** What differs from run to run. */
function normal(text: string): string {
  return text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID').replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME').replace(/(manager"?: ?"?)[\w.-]+/g, '$1MANAGER');
}

async function look(client: JsonClient, etcdUrl: string): Promise<string[]> {
  const seen: string[] = [];
  for (const [path, object] of Object.entries(objects)) seen.push(`created ${path}: ${(await client.call('POST', path, object)).status}`);
  const storage = createStorage({ endpoints: [etcdUrl] });
  for (const key of ['/configmaps/default/stored', '/services/specs/default/stored', '/leases/default/stored']) {
    const value = (await storage.get(key)).kv?.value ?? Buffer.alloc(0);
    // Protobuf has lengths of what differs; its objects are compared elsewhere.
    seen.push(`${key}: ${value.subarray(0, 4).toString('latin1') === 'k8s\0' ? 'protobuf' : normal(value.toString())}`);
  }
  await storage.close();
  for (const [path, object] of Object.entries(objects)) {
    const policy = path.endsWith('services') ? 'Orphan' : 'Foreground';
    const deleted = await client.call('DELETE', `${path}/${object.metadata.name}?propagationPolicy=${policy}`);
    const left = await client.call('GET', `${path}/${object.metadata.name}`);
    seen.push(`deleted ${path}: ${deleted.status} ${JSON.stringify((deleted.body as { metadata?: { finalizers?: unknown } }).metadata?.finalizers)}, then ${left.status}`);
  }
  for (let count = 0; count < 20; count++) await client.call('POST', '/api/v1/namespaces/default/secrets', { metadata: { name: `many-${count}`, labels: { many: 'yes' } } });
  const collection = await client.call('DELETE', '/api/v1/namespaces/default/secrets?labelSelector=many');
  const left = await client.call('GET', '/api/v1/namespaces/default/secrets?labelSelector=many');
  return [...seen, `a collection: ${collection.status}, ${(left.body as { items: unknown[] }).items.length} left`];
}

let differ = 0;
for (const [index, flags] of flagSets.entries()) {
  const etcds = await Promise.all(['ours', 'theirs'].map((name) => startEtcd(etcdProgram, join(folder, `${name}-${index}`))));
  const [ours, theirs] = etcds.map(({ url }) => url) as [string, string];
  const pair = await startPair(flags, { ours, theirs });
  try {
    const [have, want] = [await look(pair.ours, ours), await look(pair.theirs, theirs)];
    for (const [at, line] of want.entries()) {
      if (have[at] === line) continue;
      differ++;
      console.log(`${flags.join(' ')}\n  ${JSON.stringify(have[at])}\n  instead of\n  ${JSON.stringify(line)}`);
    }
  } finally {
    await pair.close();
    await Promise.all(etcds.map((etcd) => etcd.close()));
  }
}
rmSync(folder, { recursive: true, force: true });
console.log(`${flagSets.length} sets of flags compared, ${differ} answers differ`);
process.exitCode = differ > 0 ? 1 : 0;
