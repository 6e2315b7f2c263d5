import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Compares how this server and the reference end: what fresh, kept and waiting clients are answered after SIGTERM, when
// watches and connections end, and when the process is gone:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/shutdown/run.ts [SCENARIO]
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { startCluster } from '#test/cluster.ts';
import { Report } from '#test/compare/report.ts';
import { referenceProgram, startEtcd, startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { timelineDifferences } from './compare.ts';
import { observe } from './observe.ts';
import { scenarios, type Scenario } from './scenarios.ts';
import type { Change } from './timeline.ts';

type Seen = ReadonlyMap<string, readonly Change[]>;

const etcdProgram = referenceProgram('etcd');
if (etcdProgram === undefined) throw new Error('there is no etcd: REFERENCE_BIN names its folder');
const folder = mkdtempSync(join(tmpdir(), 'shutdown-'));
const address = '--advertise-address=192.0.2.7';

async function ours(scenario: Scenario, etcdUrl: string): Promise<Seen> {
  const cluster = await startCluster({
    bundled: true,
    flags: [
      '--shutdown-watch-termination-grace-period=0',
      ...scenario.flags,
      address,
      '--kubelet-certificate-authority=',
      '--etcd-servers',
      etcdUrl,
      '--token-auth-file',
      writeTokens(folder),
    ],
  });
  const { launcher, url } = cluster;
  const ended = new Promise<number | null>((resolve) => launcher.once('exit', resolve));
  try {
    return await observe({ url, token: adminToken, etcdUrl, pid: launcher.pid ?? 0, ended }, scenario);
  } finally {
    await cluster.close();
  }
}

async function theirs(scenario: Scenario, etcdUrl: string): Promise<Seen> {
  const reference = await startReference({ flags: [...scenario.flags, address], etcdUrl });
  const { url, pids, ended } = reference;
  try {
    return await observe({ url, token: adminToken, etcdUrl, pid: pids[0] ?? 0, ended }, scenario);
  } finally {
    await reference.close();
  }
}

/** On a busy machine a moment can come late by more than the tolerance: a scenario is seen up to three times. */
const mostTries = 3;

async function differences(scenario: Scenario, name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  for (let tries = 1; ; tries += 1) {
    const seen: Seen[] = [];
    for (const end of [theirs, ours]) {
      const etcd = await startEtcd(etcdProgram ?? '', join(folder, `${name}-${tries}-${end.name}`));
      seen.push(await end(scenario, etcd.url));
      await etcd.close();
    }
    const [want = new Map(), have = new Map()] = seen;
    const found = timelineDifferences(want, have);
    if (tries >= mostTries || [...found.values()].every((lines) => lines.length === 0)) return found;
  }
}

const report = new Report();
const [wanted] = process.argv.slice(2);
for (const [index, scenario] of scenarios.entries()) {
  if (wanted !== undefined && scenario.name !== wanted) continue;
  for (const [probe, lines] of await differences(scenario, `etcd-${index}`)) report.note(scenario.name, probe, lines);
}
rmSync(folder, { recursive: true, force: true });
process.exitCode = report.finish();
