// Compares what this server and the reference store, what a deletion leaves, and where the keys of tokens are, by
// flags:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run-storage-flags.ts
// Needs the bundles of dist (or QUARTERDECK_DIST) and etcd.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import type { JsonClient } from '#test/json-client.ts';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { Link } from '#test/robustness/faults/link.ts';

const flagSets = [
  [],
  ['--storage-media-type=application/json'],
  ['--storage-media-type=application/yaml'],
  ['--enable-garbage-collector=false'],
  ['--delete-collection-workers=5', '--lease-reuse-duration-seconds=1', '--external-hostname=api.example'],
];
/** What each packet to etcd and back is held up by, so that deletions at a time are told from one after the other. */
const etcdDelayMs = 20;
const objects = {
  '/api/v1/namespaces/default/configmaps': {
    metadata: { name: 'stored', labels: { b: '1', a: 'yes' } },
    data: { 'x.y': 'line\nanother: "quoted"\n', empty: '' },
  },
  '/api/v1/namespaces/default/services': {
    metadata: { name: 'stored' },
    spec: { clusterIP: 'None', ports: [{ port: 80 }] },
  },
  '/api/v1/namespaces/default/events': { metadata: { name: 'stored' }, involvedObject: { namespace: 'default' } },
  '/apis/coordination.k8s.io/v1/namespaces/default/leases': {
    metadata: { name: 'stored', finalizers: ['a.b/c'] },
    spec: { leaseDurationSeconds: 1 },
  },
};
const etcdProgram = referenceProgram('etcd');
if (etcdProgram === undefined) throw new Error('REFERENCE_BIN holds no etcd');
const folder = mkdtempSync(join(tmpdir(), 'storage-flags-'));

/** What differs from run to run. */
function normal(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, 'TIME')
    .replace(/(manager"?: ?"?)[\w.-]+/g, '$1MANAGER');
}

/** For how long the leases of events were granted, the time included for which further events get them. */
async function eventLeases(etcdUrl: string): Promise<string> {
  const call = async (path: string, body: object): Promise<Record<string, unknown>> =>
    (await (
      await fetch(`${etcdUrl}/v3/lease/${path}`, { method: 'POST', body: JSON.stringify(body) })
    ).json()) as Record<string, unknown>;
  const ids = ((await call('leases', {}))['leases'] ?? []) as readonly { readonly ID: string }[];
  const granted = await Promise.all(
    ids.map(async ({ ID }) => Number((await call('timetolive', { ID }))['grantedTTL'])),
  );
  return [...new Set(granted.filter((seconds) => seconds >= 3_600))].join(' ');
}

async function observe(
  client: JsonClient,
  etcdUrl: string,
  link: Link,
): Promise<{ readonly seen: string[]; readonly collectionMs: number }> {
  const seen: string[] = [];
  const discovery = await client.call('GET', '/.well-known/openid-configuration');
  seen.push(
    `keys of tokens: ${String((discovery.body as { jwks_uri?: unknown }).jwks_uri).replace(/:\d+\//, ':PORT/')}`,
  );
  for (const [path, object] of Object.entries(objects))
    seen.push(`created ${path}: ${(await client.call('POST', path, object)).status}`);
  seen.push(`leases of events: ${await eventLeases(etcdUrl)}`);
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
    seen.push(
      `deleted ${path}: ${deleted.status} ${JSON.stringify((deleted.body as { metadata?: { finalizers?: unknown } }).metadata?.finalizers)}, then ${left.status}`,
    );
  }
  for (let count = 0; count < 20; count++)
    await client.call('POST', '/api/v1/namespaces/default/secrets', {
      metadata: { name: `many-${count}`, labels: { many: 'yes' } },
    });
  link.delay(etcdDelayMs);
  const began = performance.now();
  const collection = await client.call('DELETE', '/api/v1/namespaces/default/secrets?labelSelector=many');
  const collectionMs = performance.now() - began;
  link.delay(0);
  const left = await client.call('GET', '/api/v1/namespaces/default/secrets?labelSelector=many');
  return {
    seen: [...seen, `a collection: ${collection.status}, ${(left.body as { items: unknown[] }).items.length} left`],
    collectionMs,
  };
}

const report = new Report();
const collections: number[][] = [];
for (const [index, flags] of flagSets.entries()) {
  const etcds = await Promise.all(
    ['ours', 'theirs'].map((name) => startEtcd(etcdProgram, join(folder, `${name}-${index}`))),
  );
  const links = etcds.map(({ url }, at) => new Link(`etcd-${at}`, 0, Number(new URL(url).port)));
  const [ours, theirs] = (await Promise.all(links.map(async (link) => `http://127.0.0.1:${await link.open()}`))) as [
    string,
    string,
  ];
  const pair = await startPair({ flags, stores: { ours, theirs } });
  try {
    const [have, want] = [
      await observe(pair.ours.json, ours, links[0] as Link),
      await observe(pair.theirs.json, theirs, links[1] as Link),
    ];
    collections.push([have.collectionMs, want.collectionMs]);
    for (const [at, line] of want.seen.entries())
      report.equal(flags.join(' ') || 'no flags', line.split(':')[0] ?? '', line, have.seen[at]);
  } finally {
    await pair.close();
    await Promise.all([...links, ...etcds].map((one) => one.close()));
  }
}
rmSync(folder, { recursive: true, force: true });
// Five at a time; half of what that brings is enough. Judged with --times, on a quiet machine.
const shares = [0, 1].map((at) => (collections.at(-1)?.[at] ?? 0) / (collections[0]?.[at] ?? 1));
console.log(
  `a collection with five workers takes ${shares.map((share) => share.toFixed(2)).join(' (ours) and ')} (reference) of the time with one`,
);
const isSlow = process.argv.includes('--times') && shares.some((share) => share > 0.5);
process.exitCode = report.finish() === 1 || isSlow ? 1 : 0;
