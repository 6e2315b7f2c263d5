// Starts this server and the reference with the ranges of Services and the addresses of an etcd of address-forms.ts:
// both have to get ready with the same ones, and to serve the same range and the same address of the Service
// `kubernetes`.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/versions/run-addresses.ts
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureServiceAccountKeys } from '#servers/launcher/pki/pki.ts';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { http1Client, type ClusterAddress } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { Report } from '#test/compare/report.ts';
import { referenceProgram, startEtcd, startReference } from '#test/reference.ts';
import { takenEtcds, takenRanges, wrongEtcds } from './address-forms.ts';

const program = referenceProgram('kube-apiserver');
if (program === undefined) throw new Error('REFERENCE_BIN holds no kube-apiserver');
const launcher = join(
  process.env['QUARTERDECK_DIST'] ?? resolve(import.meta.dirname, '../../../dist'),
  'quarterdeck.js',
);
const folder = mkdtempSync(join(tmpdir(), 'addresses-'));
const etcd = await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd'));
const etcdPort = new URL(etcd.url).port;
const pollMs = 100;
const servedWithinMs = 20_000;
let prefixes = 0;

const report = new Report();
try {
  for (const flags of takenRanges) await compareServed(flags.join(' '), etcd.url, flags);
  for (const form of takenEtcds) await compareServed(form, form.replaceAll('%', etcdPort), []);
  await Promise.all(wrongEtcds.map((form) => compareRefusals(form)));
} finally {
  await etcd.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report.finish();

/** Both servers use a part of the etcd of their own. */
async function compareServed(name: string, etcdUrl: string, flags: readonly string[]): Promise<void> {
  const all = (): readonly string[] => [`--etcd-prefix=/addresses-${prefixes++}`, ...flags];
  const reference = await startReference({ etcdUrl, flags: all() });
  const theirs = await servedUntilClosed(reference);
  const cluster = await startCluster({
    bundled: true,
    flags: ['--etcd-servers', etcdUrl, ...sameRange(flags), ...all()],
  });
  const ours = await servedUntilClosed(cluster);
  report.note('servers', name, ours === theirs ? [] : [`want ${theirs}`, `have ${ours}`]);
}

/** The reference gets a range from `startReference`, unless it is given one. */
function sameRange(flags: readonly string[]): readonly string[] {
  return flags.length === 0 ? ['--service-cluster-ip-range', '10.0.0.0/16'] : [];
}

async function servedUntilClosed(server: ClusterAddress & { close(): Promise<void> }): Promise<string> {
  try {
    return await served(server);
  } finally {
    await server.close();
  }
}

/** The default range, and the address of the Service `kubernetes`, which is made some time after a start. */
async function served(server: ClusterAddress): Promise<string> {
  const client = http1Client(server);
  const get = async (path: string): Promise<string> => (await client.send('GET', path)).text;
  const deadline = performance.now() + servedWithinMs;
  try {
    for (;;) {
      const [service, cidr] = [
        await get('/api/v1/namespaces/default/services/kubernetes'),
        await get('/apis/networking.k8s.io/v1/servicecidrs/kubernetes'),
      ];
      const found = [/"clusterIPs":(\[.*?\])/.exec(service)?.[1], /"cidrs":(\[.*?\])/.exec(cidr)?.[1]];
      if (!found.includes(undefined)) return found.join(' ');
      if (performance.now() > deadline) return `nothing: ${service} ${cidr}`;
      await sleep(pollMs);
    }
  } finally {
    client.close();
  }
}

/** This server refuses at once what the reference waits for in vain. */
async function compareRefusals(form: string): Promise<void> {
  const flag = `--etcd-servers=${form.replaceAll('%', etcdPort)}`;
  const pki = pkiPaths(join(folder, `pki-${prefixes++}`));
  await ensureServiceAccountKeys(pki);
  const theirs = spawn(
    program ?? '',
    [
      flag,
      '--secure-port=0',
      `--cert-dir=${pki.directory}`,
      `--service-account-key-file=${pki.serviceAccountPublicKey}`,
      `--service-account-signing-key-file=${pki.serviceAccountKey}`,
      '--service-account-issuer=https://a.b',
    ],
    { stdio: 'ignore' },
  );
  const [code] = (await once(theirs, 'close')) as [number];
  const ours = spawnSync(process.execPath, [launcher, '--data-dir', join(folder, 'data'), '--secure-port=0', flag], {
    encoding: 'utf8',
    timeout: 20_000,
  }).stderr;
  const isRefused = /^error: --etcd-servers "[^\n]*" is no address of an etcd: give [^\n]*\n$/.test(ours);
  report.note('servers', form, isRefused && code !== 0 ? [] : [`the reference ended with ${code}`, ours]);
}
