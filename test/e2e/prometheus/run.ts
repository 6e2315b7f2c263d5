// Debian's Prometheus scrapes this server, whose replicas restart meanwhile, and the reference beside it:
//   REFERENCE_BIN=FOLDER node --import tsx test/e2e/prometheus/run.ts [MINUTES]
// Needs the bundles of dist (or QUARTERDECK_DIST), etcd, and the program prometheus. Default: 10 minutes.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pkiPaths } from '#shared/process/data-directory.ts';
import { http2Client } from '#test/api-client.ts';
import { processesOf, untilAllReady } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { dashboardQueries } from '#test/integration/gateway/dashboard-expressions.ts';
import { JsonClient } from '#test/json-client.ts';
import { startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { alertValues, recordingRules } from './apiserver-rules.ts';
import { CounterWatch } from './counters.ts';
import { Prometheus, type Target } from './prometheus.ts';
import { playRound, prepare } from './workload.ts';

const [minutes = '10'] = process.argv.slice(2);
const scrapeSeconds = 5;
const betweenRestartsMs = 20_000;
const problems: string[] = [];

/** Ends each core and extensions server in turn, every second one as a crash would. */
async function restartUntil(cluster: Cluster, endMs: number): Promise<number> {
  let count = 0;
  while (performance.now() < endMs)
    for (const name of ['core', 'extensions'] as const)
      for (const pid of processesOf(cluster, name)) {
        await sleep(betweenRestartsMs);
        if (performance.now() >= endMs) return count;
        process.kill(pid, count++ % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
        await untilAllReady(cluster, name, 2, pid);
      }
  return count;
}

async function playUntil(url: string, endMs: number): Promise<void> {
  const client = new JsonClient(url, adminToken);
  await prepare(client);
  for (let round = 0; performance.now() < endMs; round++) {
    await playRound(client, round);
    await sleep(500);
  }
}

async function readUntil(cluster: Cluster, endMs: number): Promise<CounterWatch> {
  const watch = new CounterWatch();
  const client = http2Client(cluster);
  for (; performance.now() < endMs; await sleep(scrapeSeconds * 1000))
    watch.read((await client.send('GET', '/metrics')).text);
  client.close();
  return watch;
}

/** Each rule and alert must have a value on every server that has one on the reference. */
async function checkRules(prometheus: Prometheus): Promise<void> {
  const asked = [
    ...recordingRules.map(({ record, labels = {} }) => {
      const selectors = Object.entries(labels).map(([name, value]) => `${name}="${value}"`);
      return [`rule ${record} ${selectors.join()}`, `${record}{${selectors.join()}}`] as const;
    }),
    ...alertValues.map(({ alert, value }) => [`alert ${alert}`, value] as const),
  ];
  for (const [what, expression] of asked) {
    const samples = await prometheus.query(expression);
    const values = ['ours', 'theirs'].map((name) => samples.filter(({ labels }) => labels['cluster'] === name).length);
    const [ours = 0, theirs = 0] = values;
    const isFine = ours > 0 && theirs > 0;
    console.log(`${isFine ? 'values ' : 'MISSING'} ${what}: ours ${ours}, reference ${theirs}`);
    if (!isFine) problems.push(`${what}: ${expression}`);
  }
}

/** Each expression of the dashboard must have a number. */
async function checkDashboard(prometheus: Prometheus): Promise<void> {
  let numbers = 0;
  for (const { panel, expression } of dashboardQueries('1m')) {
    const samples = await prometheus.query(expression);
    if (samples.some(({ value }) => Number.isFinite(value))) numbers++;
    else problems.push(`dashboard, ${panel}: no number of ${expression}`);
  }
  console.log(`${numbers} expressions of the dashboard have numbers`);
}

async function checkScrapes(prometheus: Prometheus, watch: CounterWatch): Promise<void> {
  for (const { name, health, error } of await prometheus.targets())
    if (health !== 'up') problems.push(`target ${name} is ${health}: ${error}`);
  problems.push(...prometheus.complaints());
  for (const { labels } of await prometheus.query('min_over_time(up[1h]) == 0'))
    problems.push(`a scrape of ${labels['cluster']} failed`);
  const resets = await resetsOf(prometheus);
  const [{ value: scrapes = 0 } = {}] = await prometheus.query('count_over_time(up{cluster="ours"}[1h])');
  console.log(`${scrapes} scrapes, ${prometheus.complaints().length} warnings, ${resets.length} names with resets`);
  console.log(`${watch.reads} reads of ${watch.series} series, ${watch.fallen.length} fell`);
  problems.push(...resets, ...watch.fallen);
}

/** The names of counters, one of whose series fell as Prometheus sees it. */
async function resetsOf(prometheus: Prometheus): Promise<readonly string[]> {
  const counted = '{cluster="ours",__name__=~"[a-z0-9_]+_(total|count|bucket|sum)"}';
  const names = await prometheus.query(`count by (__name__) (${counted})`);
  const found: string[] = [];
  for (const { labels } of names) {
    const name = labels['__name__'] ?? '';
    for (const { value } of await prometheus.query(`sum(resets(${name}{cluster="ours"}[1h])) > 0`))
      found.push(`${value} resets of ${name}`);
  }
  return found;
}

/** Scraped as a member of `system:monitoring`, by its certificate. */
function targetOf(name: string, { url, pki }: Pick<Cluster, 'url' | 'pki'>): Target {
  const { caCert, monitoringCert, monitoringKey } = pkiPaths(pki);
  return { name, url, caFile: caCert, certFile: monitoringCert, keyFile: monitoringKey };
}

const replicas = ['--core-replicas', '2', '--extensions-replicas', '2'];
const reference = await startReference();
const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(join(reference.pki, '..')), ...replicas],
  readyWithinMs: 60_000,
});
const prometheus = await Prometheus.start(
  [targetOf('ours', cluster), targetOf('theirs', reference)],
  { groups: [{ name: 'apiserver', rules: recordingRules }] },
  scrapeSeconds,
);
try {
  const endMs = performance.now() + Number(minutes) * 60_000;
  const [watch, restarts] = await Promise.all([
    readUntil(cluster, endMs),
    restartUntil(cluster, endMs),
    playUntil(cluster.url, endMs),
    playUntil(reference.url, endMs),
  ]);
  console.log(`${restarts} restarts in ${minutes} minutes`);
  await checkScrapes(prometheus, watch);
  await checkRules(prometheus);
  await checkDashboard(prometheus);
} finally {
  await prometheus.close();
  await cluster.close();
  await reference.close();
}
for (const problem of problems.slice(0, 40)) console.log(`PROBLEM ${problem.slice(0, 600)}`);
console.log(problems.length === 0 ? 'fine' : `${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
