/**
 * `node --import tsx test/robustness/attacks/webhooks/run.ts [--only TEXT] [--seconds N] [--calls N] [--turns]
 * [--bounded]`: while writes wait for webhooks that are slow, hang, reset or answer megabytes, another client reads, and
 * creates objects that no webhook is asked about; then so many calls are made, and core's memory is looked at. Times of
 * quiet and of attacks are measured in turn. Ends with 1 where a request of the other client fails, or an attack was
 * none; with `--turns` where something held core's event loop for long; and with `--bounded`, for a quiet machine,
 * where others wait more than twice as long (p99) or memory grew by a fifth.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import { TurnsFile } from '#test/benchmark/turns-file.ts';
import { processesOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { startOtherClient, type OtherClient } from '#test/robustness/attacks/objects/other-client.ts';
import { processMemoryMiB } from '#test/robustness/hostile/process-memory.ts';
import { startHostileWebhooks, type Behaviour } from './hostile-webhooks.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    seconds: { type: 'string', default: '4' },
    calls: { type: 'string', default: '2000' },
    turns: { type: 'boolean', default: false },
    bounded: { type: 'boolean', default: false },
  },
});

/** What the writers do: calls a second, which are fewer where each is a megabyte's work. */
const attacks: readonly { readonly does: Behaviour; readonly perSecond: number }[] = [
  { does: 'allow', perSecond: 50 },
  { does: 'slow', perSecond: 50 },
  { does: 'hang', perSecond: 50 },
  { does: 'reset', perSecond: 50 },
  { does: 'hang in the body', perSecond: 50 },
  { does: 'garbage of 10 MB', perSecond: 2 },
  { does: 'a review of 10 MB', perSecond: 2 },
  { does: 'a million warnings', perSecond: 2 },
];
const turns = 3;
const mostTimes = 2;
/** Below it a difference is that of the machine. */
const leastMs = 10;
const growth = 1.2;
const longestTurnMs = 50;
const attacked = '/api/v1/namespaces/attacked/configmaps?dryRun=All';
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';

const faults: string[] = [];
const folder = mkdtempSync(join(tmpdir(), 'webhooks-'));
const webhooks = await startHostileWebhooks();
const turnsFile = values.turns ? new TurnsFile(folder) : undefined;
const cluster = await startCluster({ bundled: true });
const admin = http1Client(cluster);
try {
  await admin.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'attacked' } } });
  await admin.send('POST', '/api/v1/namespaces/default/configmaps', { body: { metadata: { name: 'read' } } });
  const others = await Promise.all([
    startOther(['/api/v1/namespaces/default/configmaps/read'], false),
    startOther(['/api/v1/namespaces/default/secrets'], true),
  ]);
  for (const { does, perSecond } of attacks) if (does.includes(values.only)) await play(does, perSecond, others);
  await Promise.all(others.map((other) => other.close()));
  if (Number(values.calls) > 0) await measureMemory();
} finally {
  admin.close();
  await Promise.all([cluster.close(), webhooks.close()]);
  rmSync(folder, { recursive: true, force: true });
}
for (const fault of faults) process.stdout.write(`FAILED: ${fault}\n`);
process.exit(faults.length > 0 ? 1 : 0);

function startOther(paths: readonly string[], creates: boolean): Promise<OtherClient> {
  return startOtherClient({ address: { url: cluster.url, pki: cluster.pki }, protocol: 1, paths, creates });
}

async function play(does: Behaviour, perSecond: number, others: readonly OtherClient[]): Promise<void> {
  await configure(does);
  const quiet = others.map((): number[] => []);
  const busy = others.map((): number[] => []);
  const before = await webhooks.calls();
  for (let turn = 0; turn < turns; turn++) {
    await listen(others, quiet, sleep(Number(values.seconds) * 1000));
    await listen(others, busy, attack(perSecond, Number(values.seconds) * 1000));
  }
  const calls = (await webhooks.calls()) - before;
  if (calls === 0) faults.push(`${does}: the webhook was not called`);
  const figures = ['GET', 'create'].map((what, at) => {
    const [alone, beside] = [p99(quiet[at] ?? []), p99(busy[at] ?? [])];
    if (values.bounded && beside > Math.max(leastMs, mostTimes * alone))
      faults.push(`${does}: others wait for a ${what}`);
    return `${what} ${alone.toFixed(1)} ms quiet, ${beside.toFixed(1)} ms beside`;
  });
  process.stdout.write(`${does}: ${calls} calls; p99 of ${figures.join('; ')}${longestTurn(does)}\n`);
}

/** What held core's event loop longest in one go, in processor time. */
function longestTurn(does: Behaviour): string {
  if (turnsFile === undefined) return '';
  const ofCore = [...turnsFile.takeLongest()].filter(([process]) => process.startsWith('core '));
  const ms = Math.max(0, ...ofCore.map(([, longest]) => longest));
  if (ms > longestTurnMs) faults.push(`${does}: held core's event loop for ${Math.round(ms)} ms`);
  return `; core's longest turn ${Math.round(ms)} ms`;
}

/** Adds the waits of others during some work. */
async function listen(others: readonly OtherClient[], waits: readonly number[][], work: Promise<void>): Promise<void> {
  for (const other of others) await other.take();
  await work;
  for (const [at, other] of others.entries()) {
    const { all, failures } = await other.take();
    waits[at]?.push(...all);
    for (const failure of new Set(failures)) faults.push(`another client: ${failure}`);
  }
}

/** Writes at a steady rate, whether or not they are answered, and waits for the last answers. */
async function attack(perSecond: number, forMs: number): Promise<void> {
  const client = http2Client(cluster);
  const sent: Promise<unknown>[] = [];
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    sent.push(write(client));
    await sleep(1000 / perSecond);
  }
  await Promise.all(sent);
  client.close();
}

function write(client: ApiClient): Promise<unknown> {
  return client.send('POST', attacked, { body: { metadata: { generateName: 'attack-' } } });
}

/** One webhook with a second's time, whose failures are ignored. */
async function configure(does: Behaviour): Promise<void> {
  await admin.send('DELETE', `${configurations}/hostile`);
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] }];
  const webhook = {
    name: 'hostile.example.com',
    clientConfig: { url: `${webhooks.url}/${encodeURIComponent(does)}`, caBundle: webhooks.caBundle },
    rules,
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'attacked' } },
    failurePolicy: 'Ignore',
    sideEffects: 'None',
    timeoutSeconds: 1,
    admissionReviewVersions: ['v1'],
  };
  const { status, text } = await admin.send('POST', configurations, {
    body: { metadata: { name: 'hostile' }, webhooks: [webhook] },
  });
  if (status !== 201) throw new Error(`${status} ${text}`);
  // Until core asks it.
  const before = await webhooks.calls();
  while ((await webhooks.calls()) === before) await write(admin);
}

/** A fifth of the calls are made first, with which code is loaded and compiled, and caches are filled. */
async function measureMemory(): Promise<void> {
  const total = Number(values.calls);
  await callMany(total / 5);
  const before = coreMiB();
  await callMany(total);
  let after = coreMiB();
  for (let second = 0; second < 60 && after > before * growth; second++) {
    await callMany(20);
    await sleep(1000);
    after = coreMiB();
  }
  process.stdout.write(`core: ${before.toFixed(0)} MiB before ${total} calls, ${after.toFixed(0)} MiB after them\n`);
  if (values.bounded && after > before * growth) faults.push("core's memory grew");
}

async function callMany(count: number): Promise<void> {
  const clients = Array.from({ length: 8 }, () => http1Client(cluster));
  const kinds: readonly Behaviour[] = ['allow', 'reset', 'allow', 'allow'];
  for (const does of kinds) {
    await configure(does);
    await Promise.all(
      clients.map(async (client) => {
        for (let at = 0; at < count / kinds.length / clients.length; at++) await write(client);
      }),
    );
  }
  for (const client of clients) client.close();
}

function coreMiB(): number {
  return processesOf(cluster, 'core').reduce((sum, pid) => sum + processMemoryMiB(pid), 0);
}

function p99(all: readonly number[]): number {
  return all.toSorted((a, b) => a - b)[Math.floor(all.length * 0.99)] ?? 0;
}
