import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
// Two of this server and the reference on one etcd: which addresses the `kubernetes` Service has when all are there,
// when one was ended, when one was killed, and when the reference was ended:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/shutdown/beside.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { processesOf } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { Report } from '#test/compare/report.ts';
import { JsonClient } from '#test/json-client.ts';
import { referenceProgram, startEtcd, startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';

/** A key lives for 15 s, and servers look every 10 s at the latest. */
const expiredWithinMs = 30_000;
const removedWithinMs = 3_000;
const everyMs = 100;

const etcdProgram = referenceProgram('etcd');
if (etcdProgram === undefined) throw new Error('there is no etcd: REFERENCE_BIN names its folder');
const folder = mkdtempSync(join(tmpdir(), 'beside-'));
const etcd = await startEtcd(etcdProgram, join(folder, 'etcd'));
const report = new Report();

function start(address: string): Promise<Cluster> {
  const flags = ['--advertise-address', address, '--etcd-servers', etcd.url, '--token-auth-file', writeTokens(folder)];
  return startCluster({ bundled: true, flags: [...flags, '--service-cluster-ip-range', '10.0.0.0/16'] });
}

/** Waits until a server has these addresses in both objects, and notes what it has otherwise. */
async function expectAddresses(what: string, url: string, wanted: readonly string[], withinMs: number): Promise<void> {
  const client = new JsonClient(url, adminToken);
  const deadline = performance.now() + withinMs;
  let seen: unknown;
  do {
    await sleep(everyMs);
    seen = await addresses(client);
  } while (JSON.stringify(seen) !== JSON.stringify([wanted, wanted]) && performance.now() < deadline);
  await client.close();
  report.equal('addresses', what, [wanted, wanted], seen);
}

interface EndpointsForm {
  readonly subsets?: readonly { readonly addresses?: readonly { readonly ip: string }[] }[];
}

interface SliceForm {
  readonly endpoints?: readonly { readonly addresses: readonly string[] }[] | null;
}

async function addresses(client: JsonClient): Promise<readonly string[][]> {
  const endpoints = await client.call('GET', '/api/v1/namespaces/default/endpoints/kubernetes');
  const slice = await client.call('GET', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes');
  const [subset] = (endpoints.body as EndpointsForm).subsets ?? [];
  return [
    (subset?.addresses ?? []).map(({ ip }) => ip),
    ((slice.body as SliceForm).endpoints ?? []).flatMap((endpoint) => endpoint.addresses).toSorted(),
  ];
}

const reference = await startReference({ etcdUrl: etcd.url, flags: ['--advertise-address', '192.0.2.1'] });
const [first, second] = [await start('192.0.2.2'), await start('192.0.2.3')];
try {
  const all = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
  for (const [name, { url }] of Object.entries({ reference, first, second }))
    await expectAddresses(`all are there, as ${name} says`, url, all, expiredWithinMs);

  await second.close();
  await expectAddresses('one was ended', first.url, ['192.0.2.1', '192.0.2.2'], removedWithinMs);

  const third = await start('192.0.2.4');
  await expectAddresses('another is there', reference.url, ['192.0.2.1', '192.0.2.2', '192.0.2.4'], expiredWithinMs);
  const pids = (['gateway', 'core', 'extensions'] as const).flatMap((name) => processesOf(third, name));
  third.launcher.kill('SIGKILL');
  for (const pid of pids) process.kill(pid, 'SIGKILL');
  rmSync(third.dataDir, { recursive: true, force: true });
  await expectAddresses('it was killed', first.url, ['192.0.2.1', '192.0.2.2'], expiredWithinMs);

  await reference.close();
  await expectAddresses('the reference was ended', first.url, ['192.0.2.2'], removedWithinMs);
} finally {
  await Promise.all([reference.close(), first.close(), second.close()]);
  await etcd.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report.finish();
