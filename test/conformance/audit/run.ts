// Starts this server and kube-apiserver with the same audit policy at RequestResponse, sends the same requests to both,
// and compares the events stage by stage:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/audit/run.ts [--only NAME]
// Needs the bundles of dist (or QUARTERDECK_DIST). Differences that the reference is to blame for are in explained.ts.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { startWebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import { adminToken, bobToken } from '#test/tokens.ts';
import { compareLogs, compareRequest } from './compare-logs.ts';
import { settledEventLog, type AuditedRequest } from './event-log.ts';
import { hookPreparation, hookProbes, hookRequests } from './hook-requests.ts';
import { sendSpecial } from './send-special.ts';
import { specialRequests, type SpecialRequest } from './special-requests.ts';

const corpora = ['01-crud-errors', '11-auth', '12-admission'];
const replayFolder = join(import.meta.dirname, '../replay');
const tokens = [
  `${adminToken},admin,u1,"system:masters"`,
  `${bobToken},bob,u2,"dev"`,
  'tok-admin,admin,u1,"system:masters"',
  'tok-bob,bob,u2,"dev"',
].join('\n');

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
const hooksWithinMs = 3_000;
const report = new Report();

/** One of the servers with its log. */
interface Logged {
  readonly side: Side;
  readonly log: string;
}

async function startLogged(folder: string, policy: JsonObject): Promise<readonly [ours: Logged, theirs: Logged]> {
  const file = (name: string, text: string): string => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  const common = [
    `--token-auth-file=${file('tokens.csv', `${tokens}\n`)}`,
    `--audit-policy-file=${file('policy.yaml', JSON.stringify(policy))}`,
  ];
  const logs = [join(folder, 'ours.log'), join(folder, 'theirs.log')] as const;
  const [ours, theirs] = await Promise.all([
    startOurs({ flags: [...common, `--audit-log-path=${logs[0]}`, '--enable-aggregator-routing=true'] }),
    startTheirs([...common, `--audit-log-path=${logs[1]}`, '--enable-aggregator-routing=true']),
  ]);
  return [
    { side: ours, log: logs[0] },
    { side: theirs, log: logs[1] },
  ];
}

/** Sends the requests of a corpus to one server; what it answers is compared elsewhere. */
async function replay(corpus: string, { side }: Logged, folder: string): Promise<void> {
  const argv = [join(replayFolder, 'replay.mjs'), 'record', '--server', side.url, '--token', 'tok-admin'];
  const child = spawn(process.execPath, [...argv, '--out', folder, join(replayFolder, 'corpus', `${corpus}.jsonl`)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await new Promise((resolve) => child.on('exit', resolve));
}

async function compareCorpus(corpus: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const [ours, theirs] = await startLogged(folder, everything);
  try {
    await Promise.all([replay(corpus, ours, join(folder, 'a')), replay(corpus, theirs, join(folder, 'b'))]);
    const [have, want] = await Promise.all([ofReplay(ours.log), ofReplay(theirs.log)]);
    compareLogs(report, corpus, want, have);
  } finally {
    await Promise.all([ours.side.close(), theirs.side.close()]);
    if (process.env['KEEP_LOGS'] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.log(`logs: ${folder}`);
  }
}

/** The requests of the tool, which names no user agent; clients of the servers' own do. */
async function ofReplay(log: string): Promise<AuditedRequest[]> {
  const isProbe = ({ what }: AuditedRequest): boolean => what.startsWith('get /readyz');
  return (await settledEventLog(log)).filter((one) => one.events[0]?.['userAgent'] === undefined && !isProbe(one));
}

async function compareSpecial(name: string, policy: JsonObject): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const servers = await startLogged(folder, policy);
  const [ours, theirs] = servers;
  try {
    for (const [part, requests] of specialRequests)
      for (const [at, asked] of requests.entries())
        await Promise.all(servers.map(({ side }) => sendSpecial(side.url, `${part}-${at}`, asked)));
    const [have, want] = await Promise.all([settledEventLog(ours.log), settledEventLog(theirs.log)]);
    for (const [part, requests] of specialRequests)
      for (const [at, { method, path }] of requests.entries())
        compareRequest(report, `${name} ${part}`, `${method} ${path}`, find(want, part, at), find(have, part, at));
  } finally {
    await Promise.all([ours.side.close(), theirs.side.close()]);
    if (process.env['KEEP_LOGS'] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.log(`logs: ${folder}`);
  }
}

function find(log: readonly AuditedRequest[], part: string, at: number): AuditedRequest | undefined {
  return log.find(({ auditId }) => auditId === `${part}-${at}`);
}

/** Sends requests until both servers answer them all, which is not compared. */
async function untilReady(servers: readonly Logged[]): Promise<void> {
  for (const { side } of servers)
    for (const probe of hookProbes)
      for (let left = 200; (await sendSpecial(side.url, 'probe', probe)) >= 400; left--) {
        if (left === 0) throw new Error(`${probe.path} is not served in time`);
        await sleep(100);
      }
  // Webhooks are in effect soon after they were written; nothing tells when.
  await sleep(hooksWithinMs);
}

async function compareHooks(name: string, policy: JsonObject): Promise<void> {
  const webhooks = await startWebhookServer();
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  const servers = await startLogged(folder, policy);
  const [ours, theirs] = servers;
  const send = async (part: string, requests: readonly SpecialRequest[]): Promise<void> => {
    for (const [at, asked] of requests.entries())
      await Promise.all(servers.map(({ side }) => sendSpecial(side.url, `${part}-${at}`, asked)));
  };
  const preparation = [...(specialRequests.get('preparation') ?? []), ...hookPreparation(webhooks)];
  try {
    await send('preparation', preparation);
    await untilReady(servers);
    await send('hooks', hookRequests);
    const [have, want] = await Promise.all([settledEventLog(ours.log), settledEventLog(theirs.log)]);
    for (const [part, requests] of [
      ['preparation', preparation],
      ['hooks', hookRequests],
    ] as const)
      for (const [at, { method, path }] of requests.entries())
        compareRequest(report, `${name} ${part}`, `${method} ${path}`, find(want, part, at), find(have, part, at));
  } finally {
    webhooks.close();
    await Promise.all([ours.side.close(), theirs.side.close()]);
    if (process.env['KEEP_LOGS'] === undefined) rmSync(folder, { recursive: true, force: true });
    else console.log(`logs: ${folder}`);
  }
}

for (const name of ['all', 'metadata'])
  if (only === undefined || only === 'hooks') await compareHooks(`hooks ${name}`, policies.get(name) ?? everything);
for (const [name, policy] of policies) if (only === undefined || name === only) await compareSpecial(name, policy);
for (const corpus of corpora) if (only === undefined || corpus.startsWith(only)) await compareCorpus(corpus);
process.exit(report.finish());
