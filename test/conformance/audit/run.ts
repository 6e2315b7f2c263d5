// Starts this server and kube-apiserver with the same audit policy at RequestResponse, sends the same requests to both,
// and compares the events stage by stage:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/audit/run.ts [--only NAME]
// Needs the bundles of dist (or QUARTERDECK_DIST). Differences that the reference is to blame for are in explained.ts.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { Report } from '#test/compare/report.ts';
import { reachableAddress } from '#test/conformance/proxies/target-server.ts';
import { startWebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import { startAudited, type Logged } from './audited-pair.ts';
import {
  certificateCounters,
  certificatePreparation,
  certificateProbes,
  certificateRequests,
  certifiedName,
} from './certificate-requests.ts';
import { startCertifiedServer } from './certified-server.ts';
import { compareLogs } from './compare-logs.ts';
import { compareParts, type Part } from './compare-parts.ts';
import { settledEventLog, type AuditedRequest } from './event-log.ts';
import {
  extensionPreparation,
  extensionProbes,
  extensionRequests,
  proxiedPreparation,
  proxiedRequests,
} from './extension-requests.ts';
import { startExtensionServer } from './extension-server.ts';
import { startForgingKubelet } from './forging-kubelet.ts';
import { hookPreparation, hookProbes, hookRequests } from './hook-requests.ts';
import { startNamelessWebhook } from './nameless-webhook.ts';
import { sendSpecial } from './send-special.ts';
import { layerDifferences, slowPreparation, slowRequests } from './slow-requests.ts';
import { get, specialRequests } from './special-requests.ts';
import { upgradePreparation, upgradeRequests } from './upgrade-requests.ts';

const corpora = ['01-crud-errors', '11-auth', '12-admission'];
const replayFolder = join(import.meta.dirname, '../replay');
/** A policy without the requests that the servers send to themselves. */
function policyOf(rule: JsonObject, more: JsonObject = {}): JsonObject {
  const rules = [{ level: 'None', users: ['system:apiserver'] }, rule];
  return { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules, ...more };
}

const everything = policyOf({ level: 'RequestResponse' });
const policies: ReadonlyMap<string, JsonObject> = new Map([
  ['all', everything],
  ['request', policyOf({ level: 'Request', omitStages: ['RequestReceived'] }, { omitManagedFields: true })],
  ['response', policyOf({ level: 'RequestResponse', omitManagedFields: true }, { omitStages: ['ResponseStarted'] })],
  ['metadata', policyOf({ level: 'Metadata' })],
]);

const at = process.argv.indexOf('--only');
const only = at < 0 ? undefined : process.argv[at + 1];
const report = new Report();

/** Sends the requests of a corpus to one server; what it answers is compared elsewhere. */
async function replay(corpus: string, { side }: Logged, folder: string): Promise<void> {
  const argv = [join(replayFolder, 'replay.mjs'), 'record', '--server', side.url, '--token', 'tok-admin'];
  const child = spawn(process.execPath, [...argv, '--out', folder, join(replayFolder, 'corpus', `${corpus}.jsonl`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve) => child.on('exit', resolve));
}

async function compareCorpus(corpus: string): Promise<void> {
  const { ours, theirs, folder, close } = await startAudited(everything);
  try {
    await Promise.all([replay(corpus, ours, join(folder, 'a')), replay(corpus, theirs, join(folder, 'b'))]);
    const [have, want] = await Promise.all([ofReplay(ours.log), ofReplay(theirs.log)]);
    compareLogs(report, corpus, want, have);
  } finally {
    await close();
  }
}

/** The requests of the tool, which names no user agent; clients of the servers' own do. */
async function ofReplay(log: string): Promise<AuditedRequest[]> {
  const isProbe = ({ what }: AuditedRequest): boolean => what.startsWith('get /readyz');
  return (await settledEventLog(log)).filter((one) => one.events[0]?.['userAgent'] === undefined && !isProbe(one));
}

function specialParts(): Part[] {
  return [...specialRequests].map(([name, requests]) => ({ name, requests }));
}

const prepared = specialRequests.get('preparation') ?? [];

async function compareHooks(name: string, policy: JsonObject): Promise<void> {
  const [webhooks, nameless] = await Promise.all([startWebhookServer(), startNamelessWebhook()]);
  const requests = [...prepared, ...hookPreparation(webhooks, nameless)];
  try {
    const parts = [
      { name: 'preparation', requests, probesAfter: hookProbes },
      { name: 'hooks', requests: hookRequests },
    ];
    await compareParts(report, { name, policy, parts });
  } finally {
    webhooks.close();
    nameless.close();
  }
}

async function compareUpgrades(name: string, policy: JsonObject): Promise<void> {
  const [webhooks, kubelet] = await Promise.all([startWebhookServer(), startForgingKubelet()]);
  const requests = [...prepared, ...upgradePreparation(webhooks, kubelet.port)];
  try {
    const parts = [
      { name: 'preparation', requests, probesAfter: [] },
      { name: 'upgrades', requests: upgradeRequests },
    ];
    await compareParts(report, { name, policy, parts });
  } finally {
    webhooks.close();
    kubelet.close();
  }
}

for (const name of ['all', 'metadata'])
  if (only === undefined || only === 'hooks') await compareHooks(`hooks ${name}`, policies.get(name) ?? everything);
async function compareSlow(): Promise<void> {
  const webhooks = await startWebhookServer();
  const requests = [...prepared, ...slowPreparation(webhooks)];
  try {
    const parts = [
      { name: 'preparation', requests, probesAfter: [] },
      { name: 'slow', requests: slowRequests },
    ];
    await compareParts(report, { name: 'slow', policy: everything, parts, alsoCompare: layerDifferences });
  } finally {
    webhooks.close();
  }
}

async function compareExtensions(name: string, policy: JsonObject): Promise<void> {
  const server = await startExtensionServer();
  const requests = [...prepared, ...extensionPreparation(server.port)];
  try {
    const parts: Part[] = [
      { name: 'preparation', requests, probesAfter: extensionProbes },
      { name: 'extensions', requests: extensionRequests },
    ];
    const address = reachableAddress();
    if (address !== undefined)
      parts.push(
        { name: 'node', requests: proxiedPreparation(server.port, address), probesAfter: [] },
        { name: 'proxied', requests: proxiedRequests() },
      );
    // Servers that ask for endpoints take no external names.
    await compareParts(report, { name, policy, parts, flags: ['--enable-aggregator-routing=false'] });
  } finally {
    server.close();
  }
}

for (const name of ['all', 'metadata'])
  if (only === undefined || only === 'extensions')
    await compareExtensions(`extensions ${name}`, policies.get(name) ?? everything);
async function compareCertificates(): Promise<void> {
  const kinds = ['nameless', 'sha1', 'both'] as const;
  const servers = new Map(
    await Promise.all(
      kinds.map(async (kind) => [kind, await startCertifiedServer(kind, certifiedName(kind))] as const),
    ),
  );
  const requests = [...prepared, ...certificatePreparation(servers)];
  const begin = (): void => servers.forEach((server) => server.spoil());
  try {
    const parts = [
      { name: 'preparation', requests, probesAfter: certificateProbes },
      { name: 'certificates', requests: certificateRequests, begin },
    ];
    await compareParts(report, {
      name: 'certificates',
      policy: everything,
      parts,
      flags: ['--enable-aggregator-routing=false'],
      async finish({ ours, theirs }) {
        const [have, want] = await Promise.all(
          [ours, theirs].map(async ({ side }) => (await sendSpecial(side.url, 'metrics', get('/metrics'))).text),
        );
        report.equal('certificates', 'metrics', certificateCounters(want ?? ''), certificateCounters(have ?? ''));
      },
    });
  } finally {
    servers.forEach((server) => server.close());
  }
}

if (only === undefined || only === 'certificates') await compareCertificates();
if (only === undefined || only === 'slow') await compareSlow();
for (const name of ['all', 'metadata'])
  if (only === undefined || only === 'upgrades')
    await compareUpgrades(`upgrades ${name}`, policies.get(name) ?? everything);
for (const [name, policy] of policies)
  if (only === undefined || name === only) await compareParts(report, { name, policy, parts: specialParts() });
for (const corpus of corpora) if (only === undefined || corpus.startsWith(only)) await compareCorpus(corpus);
process.exit(report.finish());
