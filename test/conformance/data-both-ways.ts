// Data moves between this server and the reference through a real etcd, in both directions:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/data-both-ways.ts
// One server writes an object of every stored type, the other is then started on the same etcd and must list all of
// them as they were. The same from an embedded store by "store copy" to an etcd that asks for certificates, which the
// reference serves, and back; there with --objects further ones (default 500), --only-copy that alone, --e2e with
// upstream's specs of the API machinery on the copy, by this server and by the reference.
import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import type { ClusterOptions } from '#test/cluster.ts';
import { collectionPath, listedResources } from '#test/compare/listed-resources.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { JsonClient } from '#test/json-client.ts';
import { referenceProgram, startEtcd, startReference } from '#test/reference.ts';
import { makeCertificates } from '#test/replicas/etcd-faults/certificates.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import {
  type Snapshot,
  type StoredObject,
  compare,
  compareCopied,
  complain,
  complaints,
} from './data-both-ways-compare.ts';
import { storedManifests } from './data-both-ways/manifests.ts';

interface Server {
  readonly client: JsonClient;
  close(): Promise<void>;
}

const { values } = parseArgs({
  options: {
    objects: { type: 'string', default: '500' },
    'only-copy': { type: 'boolean', default: false },
    e2e: { type: 'boolean', default: false },
  },
});
const furtherObjects = Number(values.objects);
const writers = 64;
const probeEveryMs = 20;
const settledWithinMs = 60_000;
/** The reference leaves the port of a former server beside its address. */
const keptAddress = /"addresses"/;

const folder = mkdtempSync(join(tmpdir(), 'both-ways-'));
const serviceRange = ['--service-cluster-ip-range', '10.0.0.0/16'];

function startOurs(etcdUrl: string): Promise<Server> {
  return openOurs({ flags: ['--etcd-servers', etcdUrl] });
}

async function openOurs({ flags, ...options }: ClusterOptions): Promise<Server> {
  const cluster = await startCluster({
    ...options,
    flags: ['--token-auth-file', writeTokens(folder), ...serviceRange, ...(flags ?? [])],
  });
  return settled(cluster.url, { client: new JsonClient(cluster.url, adminToken), close: () => cluster.close() });
}

async function startTheirs(etcdUrl: string, flags: readonly string[] = []): Promise<Server> {
  const reference = await startReference({ etcdUrl, flags });
  return settled(
    reference.url,
    { client: new JsonClient(reference.url, reference.token), close: () => reference.close() },
    keptAddress,
  );
}

/**
 * Waits until a ready server has written where it can be reached, which it does later: what is read before may change
 * before it ends. The reference takes its address away again when it ends, so a copy of what it leaves is only right
 * once the next server wrote its own.
 * @param reached what its endpoints say then
 */
async function settled(url: string, server: Server, reached: RegExp = portOf(url)): Promise<Server> {
  const deadline = performance.now() + settledWithinMs;
  const written = [
    ['/api/v1/namespaces/default/endpoints/kubernetes', reached],
    ['/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes', reached],
    ['/apis/coordination.k8s.io/v1/namespaces/kube-system/leases', portOf(url)],
  ] as const;
  for (const [path, says] of written) {
    while (!says.test(JSON.stringify((await server.client.call('GET', path)).body))) {
      if (performance.now() > deadline) throw new Error(`${path} does not say ${says}`);
      await pause(probeEveryMs);
    }
  }
  return server;
}

function portOf(url: string): RegExp {
  return new RegExp(`:${new URL(url).port}\\b`);
}

async function write(client: JsonClient): Promise<void> {
  const resources = await listedResources(client);
  for (const object of storedManifests(folder) as StoredObject[]) {
    const resource = resources.find(
      ({ groupVersion, kind }) => groupVersion === object.apiVersion && kind === object.kind,
    );
    if (!resource) throw new Error(`${object.kind} of ${object.apiVersion} is not served`);
    const { status, body } = await client.call('POST', collectionPath(resource, 'kept'), object);
    if (status !== 201)
      complain(
        `${object.kind} ${object.metadata.name} was not created: ${status} ${JSON.stringify(body).slice(0, 400)}`,
      );
  }
}

async function readAll(client: JsonClient): Promise<Snapshot> {
  const found: Snapshot = new Map();
  for (const { root, name, groupVersion, verbs } of await listedResources(client)) {
    // Component statuses are asked for, not stored.
    if (!verbs.includes('list') || name === 'componentstatuses') continue;
    const { status, body } = await client.call('GET', `${root}/${name}`);
    if (status !== 200) {
      complain(`${groupVersion} ${name} cannot be listed: ${status} ${JSON.stringify(body).slice(0, 400)}`);
      continue;
    }
    for (const item of (body as { items: StoredObject[] }).items)
      found.set(`${groupVersion} ${name} ${item.metadata.namespace ?? ''}/${item.metadata.name}`, item);
  }
  return found;
}

/** Of several kinds, some with bytes that are no text. */
async function writeMore(client: JsonClient): Promise<void> {
  const make = (i: number): [string, object] => {
    const metadata = { name: `more-${i}`, labels: { of: String(i % 10) } };
    if (i % 3 === 0) return ['secrets', { metadata, data: { bytes: randomBytes(100).toString('base64') } }];
    if (i % 3 === 1) return ['serviceaccounts', { metadata }];
    return ['configmaps', { metadata, data: { text: 'x'.repeat(200) } }];
  };
  let next = 0;
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let i = next++; i < furtherObjects; i = next++) {
        const [resource, object] = make(i);
        const { status, body } = await client.call('POST', `/api/v1/namespaces/kept/${resource}`, object);
        if (status !== 201)
          complain(`${resource} ${i} was not created: ${status} ${JSON.stringify(body).slice(0, 400)}`);
      }
    }),
  );
}

/** @returns the revision behind the copy */
function storeCopy(argv: readonly string[]): number {
  const startedMs = performance.now();
  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', join(import.meta.dirname, '../../servers/launcher/main.ts'), 'store', 'copy', ...argv],
    { encoding: 'utf8' },
  );
  console.log(`    copied in ${Math.round(performance.now() - startedMs)} ms: ${output.trim().split('\n').join('; ')}`);
  return Number(/at revision (\d+): SHA-256 \w+; both sides are equal\n$/.exec(output)?.[1]);
}

async function copied(): Promise<void> {
  console.log('copied from an embedded store to an etcd, read by the reference; and back');
  const [old, back] = [join(folder, 'old'), join(folder, 'back')];
  const tls = makeCertificates(join(folder, 'etcd-pki'));
  const etcd = await startEtcdCluster(referenceProgram('etcd') ?? '', mkdtempSync(join(folder, 'etcd-')), { tls });
  const etcdFlags = [
    '--etcd-servers',
    etcd.endpoints,
    '--etcd-cafile',
    tls.caFile,
    '--etcd-certfile',
    tls.certFile,
    '--etcd-keyfile',
    tls.keyFile,
  ];
  const open = (dataDir: string): Promise<Server> => openOurs({ dataDir, readyWithinMs: 120_000 });
  const read = async (server: Server): Promise<Snapshot> => {
    try {
      return await readAll(server.client);
    } finally {
      await server.close();
    }
  };
  try {
    const writer = await open(old);
    await write(writer.client);
    await writeMore(writer.client);
    const before = await read(writer);
    const there = storeCopy(['--data-dir', join(old, 'store'), ...etcdFlags]);
    const served = await read(await startTheirs(etcd.endpoints, etcdFlags.slice(2)));
    compareCopied(before, served, there);
    const again = storeCopy([...etcdFlags, '--new-data-dir', join(back, 'store')]);
    compareCopied(served, await read(await open(back)), again);
    if (values.e2e) for (const server of [[], ['--reference']]) runUpstreamSpecs([...server], etcdFlags);
  } finally {
    await etcd.close();
  }
}

/** On the bundles, which must be built. @param server which one it is */
function runUpstreamSpecs(server: readonly string[], etcdFlags: readonly string[]): void {
  const { status } = spawnSync(
    process.execPath,
    [
      '--import',
      'tsx',
      join(import.meta.dirname, '../e2e/conformance/run.ts'),
      ...server,
      '--only',
      String.raw`\[sig-api-machinery\]`,
      '--',
      ...etcdFlags,
    ],
    { stdio: 'inherit' },
  );
  if (status !== 0) complain('specs of upstream that pass on the reference do not pass on what was copied');
}

/** Types without any object show nothing. */
async function checkCoverage(client: JsonClient, snapshot: Snapshot): Promise<void> {
  for (const { groupVersion, name, verbs } of await listedResources(client)) {
    const prefix = `${groupVersion} ${name} `;
    if (
      verbs.includes('list') &&
      name !== 'componentstatuses' &&
      name !== 'customresourcedefinitions' &&
      ![...snapshot.keys()].some((key) => key.startsWith(prefix))
    )
      complain(`no object of ${prefix}was written`);
  }
}

async function oneWay(
  title: string,
  startWriter: (url: string) => Promise<Server>,
  startReader: (url: string) => Promise<Server>,
): Promise<void> {
  console.log(title);
  const etcd = await startEtcd(referenceProgram('etcd') ?? '', mkdtempSync(join(folder, 'etcd-')));
  try {
    const writer = await startWriter(etcd.url);
    let before: Snapshot;
    try {
      await write(writer.client);
      before = await readAll(writer.client);
      await checkCoverage(writer.client, before);
    } finally {
      await writer.close();
    }
    const reader = await startReader(etcd.url);
    try {
      compare(before, await readAll(reader.client));
    } finally {
      await reader.close();
    }
  } finally {
    await etcd.close();
  }
}

try {
  if (!values['only-copy']) {
    await oneWay('written by this server, read by the reference', startOurs, startTheirs);
    await oneWay('written by the reference, read by this server', startTheirs, startOurs);
  }
  await copied();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(complaints === 0 ? 'data moves both ways' : `${complaints} complaints`);
process.exitCode = complaints === 0 ? 0 : 1;
