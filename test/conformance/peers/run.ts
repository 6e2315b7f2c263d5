// Starts two API servers of other settings, and two of other versions, on one etcd, each three times: two references,
// then this server as the first and as the second of them. Both are asked for what only the other serves, by several
// users, for discovery, for a watch, and after the first was killed: clients see the same in all three.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/peers/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST), and root, for names of hosts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { referenceProgram, startEtcd } from '#test/reference.ts';
import { adminToken } from '#test/tokens.ts';
import { ask, type PeerAnswer } from './ask.ts';
import { explained } from './explained.ts';
import { firstEvent } from './first-event.ts';
import { startImpostor } from './impostor.ts';
import { normal } from './normal.ts';
import { afterDeath, documents, identities, newer, usual, type PeerQuestion } from './questions.ts';
import { sharedCluster, startPeer, type Kind, type PeerProcess } from './servers.ts';
import { webSocketWatch } from './websocket-watch.ts';

interface Seen {
  readonly name: string;
  readonly answer: unknown;
}

interface Servers {
  readonly first: PeerProcess;
  readonly second: PeerProcess;
}

const jobs = '/apis/batch/v1/namespaces/default/jobs';
const syncedWithinMs = 60_000;

/** How the two servers differ, and what they are asked. */
interface SetUp {
  readonly name: string;
  readonly flags: readonly [first: readonly string[], second: readonly string[]];
  readonly play: (servers: Servers) => Promise<Seen[]>;
}

async function seenBy({ flags, play }: SetUp, first: Kind, second: Kind): Promise<Seen[]> {
  const folder = mkdtempSync(join(tmpdir(), 'peers-'));
  const etcd = await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd'));
  const cluster = await sharedCluster(folder, etcd.url);
  const servers: PeerProcess[] = [];
  try {
    servers.push(await startPeer(cluster, first, 'peer-a', flags[0]));
    servers.push(await startPeer(cluster, second, 'peer-b', flags[1]));
    const [one, two] = servers as [PeerProcess, PeerProcess];
    return await play({ first: one, second: two });
  } finally {
    await Promise.all(servers.map((server) => server.kill()));
    await etcd.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function playSettings(servers: Servers): Promise<Seen[]> {
  const { first, second } = servers;
  await until(second, { path: jobs }, ({ status }) => status === 200);
  await until(first, { path: '/apis/apps/v1/deployments' }, ({ status }) => status === 200);
  const seen: Seen[] = [];
  for (const question of [...usual, ...identities]) seen.push(await asked(servers, question));
  const event = await firstEvent(second.url, jobs, adminToken, () =>
    ask(second.url, { ...(usual[0] as PeerQuestion), method: 'POST' }),
  );
  seen.push({ name: 'a watch', answer: normal(event) });
  const upgraded = await webSocketWatch(second.url, jobs, adminToken, () =>
    ask(second.url, { path: `${jobs}/one`, method: 'DELETE', token: adminToken }),
  );
  seen.push({ name: 'a watch by WebSocket', answer: { ...upgraded, event: normal(upgraded.event) } });
  for (const question of documents) seen.push(await asked(servers, question));
  seen.push({ name: 'metrics', answer: await reroutedLines(second) });
  await first.kill();
  const impostor = await startImpostor(first.port);
  seen.push(await asked(servers, afterDeath[0] as PeerQuestion, ' by an impostor'));
  seen.push({ name: 'requests that the impostor got', answer: impostor.requests() });
  await impostor.close();
  for (const question of afterDeath) seen.push(await asked(servers, question));
  await until(second, { path: jobs }, ({ text }) => text.includes('Error getting ip and port'));
  seen.push(...(await Promise.all(afterDeath.map((question) => asked(servers, question, ' and forgotten')))));
  return seen;
}

async function playVersions(servers: Servers): Promise<Seen[]> {
  await until(servers.first, { path: newer.path }, ({ status }) => status === 200);
  const seen: Seen[] = [];
  for (const question of [newer, ...documents]) seen.push(await asked(servers, question));
  return seen;
}

async function asked(servers: Servers, question: PeerQuestion, suffix = ''): Promise<Seen> {
  const { status, contentType, etag, text } = await ask(servers[question.to].url, question);
  return {
    name: `${question.to}: ${question.name}${suffix}`,
    answer: { status, contentType, etag, text: normal(text) },
  };
}

/**
 * The counts of jobs; those of discovery depend on when each server was seen. An upgrade counts as 0 there, and here by
 * its code.
 */
async function reroutedLines(server: PeerProcess): Promise<string[]> {
  const { text } = await ask(server.url, { path: '/metrics', token: adminToken });
  const lines = text.split('\n').filter((line) => line.startsWith('apiserver_rerouted_request_total'));
  return lines
    .filter((line) => line.includes('resource="jobs"') && !/code="(?:0|101)"/.test(line))
    .map((line) => line.replace(/ \d+$/, ''))
    .sort();
}

async function until(
  server: PeerProcess,
  question: { readonly path: string },
  isSo: (answer: PeerAnswer) => boolean,
): Promise<void> {
  const deadline = performance.now() + syncedWithinMs;
  for (;;) {
    const answer = await ask(server.url, { ...question, token: adminToken });
    if (isSo(answer)) return;
    if (performance.now() > deadline)
      throw new Error(`${server.name} ${question.path}: ${answer.status} ${answer.text}\n${server.log().slice(-3000)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const pairs: readonly (readonly [Kind, Kind])[] = [
  ['ours', 'reference'],
  ['reference', 'ours'],
];
const setUps: readonly SetUp[] = [
  {
    name: 'settings',
    flags: [['--runtime-config=apps/v1=false'], ['--runtime-config=batch/v1=false']],
    play: playSettings,
  },
  { name: 'versions', flags: [['--emulated-version=1.35'], []], play: playVersions },
];
let differences = 0;
let compared = 0;

async function compare(setUp: SetUp, expected: readonly Seen[], kinds: readonly [Kind, Kind]): Promise<void> {
  const seen = await seenBy(setUp, ...kinds);
  for (const [at, { name, answer }] of expected.entries()) {
    const here = seen[at];
    compared++;
    if (here?.name === name && JSON.stringify(here.answer) === JSON.stringify(answer)) continue;
    if (explained.has(`${setUp.name}: ${kinds[0]} ${name}`)) continue;
    differences++;
    const show = (value: unknown): string => JSON.stringify(value)?.slice(0, 1500) ?? 'nothing';
    console.log(`${setUp.name}: ${kinds.join(' and ')}, ${name}`);
    console.log(`  references ${show(answer)}\n  here       ${show(here?.answer)}`);
  }
}
for (const setUp of setUps) {
  const expected = await seenBy(setUp, 'reference', 'reference');
  for (const kinds of pairs) await compare(setUp, expected, kinds);
}
console.log(`peers: ${compared} compared, ${differences} differ`);
process.exitCode = differences === 0 ? 0 : 1;
