// Readers of large lists that take next to nothing, beside others: what they cost the others, and whether memory comes
// back.
//   node --import tsx test/benchmark/slow-readers.ts [--objects 800] [--rounds 3]
// 20 clients list ConfigMaps of 20 KB in five forms, five of them at 10 KB a second; then all are cut off in the
// middle. Fails where README.md's bounds do not hold. Needs `npm run build`.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { Contention } from './contention.ts';
import { memoryMiB, processTree } from './processes.ts';

const { values: flags } = parseArgs({
  options: { objects: { type: 'string', default: '800' }, rounds: { type: 'string', default: '3' } },
});
const path = '/api/v1/namespaces/default/configmaps';
const forms = [
  'application/json',
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;pretty=1',
];
const quickClients = 15;
const slowClients = 5;
const slowBytes = 10 * 1024;
const allowed = { slowdown: 1.5, growthMiB: 200, p99Ms: 50, backWithinMs: 10_000, leftMiB: 64 };

const largestFactor = 1.5;

interface Answer {
  readonly answer: IncomingMessage;
  readonly cut: () => void;
}

/** Begins a request on a connection of its own. */
function begin(url: string, method: string, target: string, accept: string, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(
      url + target,
      {
        method,
        agent: false,
        rejectUnauthorized: false,
        headers: {
          authorization: `Bearer ${adminToken}`,
          accept,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
      },
      (answer) => resolve({ answer, cut: () => call.destroy() }),
    );
    call.on('error', reject);
    call.end(body);
  });
}

async function whole(url: string, method: string, target: string, accept: string, body?: string): Promise<void> {
  const { answer } = await begin(url, method, target, accept, body);
  for await (const chunk of answer) void chunk;
  if ((answer.statusCode ?? 500) >= 300) throw new Error(`${method} ${target} answered ${answer.statusCode}`);
}

/** Takes 10 KB a second until it is cut off. */
function readSlowly({ answer, cut }: Answer): () => void {
  answer.on('error', () => undefined);
  answer.pause();
  const timer = setInterval(() => answer.read(slowBytes), 1000);
  return () => {
    clearInterval(timer);
    cut();
  };
}

const listForm = (client: number): string => forms[client % forms.length] as string;
const target = (client: number): string => (listForm(client).includes('pretty') ? `${path}?pretty=true` : path);

/** Milliseconds until all quick clients have their lists. */
async function quickLists(url: string): Promise<number> {
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: quickClients }, (_, client) => whole(url, 'GET', target(client), listForm(client))),
  );
  return performance.now() - begun;
}

/**
 * An administrator who reads one object again and again, in a process of its own; returns what ends that and tells the
 * waits.
 */
function watchWaits(url: string): () => Promise<number[]> {
  const child = fork(join(import.meta.dirname, 'get-waits.ts'), [url]);
  const reported = new Promise<number[]>((resolve, reject) => {
    child.once('message', (waits) => resolve((waits as number[]).toSorted((a, b) => a - b)));
    child.once('exit', () => reject(new Error('the process that reads one object ended')));
  });
  reported.catch(() => undefined);
  return () => {
    child.send('stop');
    return reported;
  };
}

async function untilBack(pids: readonly number[], before: number): Promise<number> {
  const begun = performance.now();
  while (memoryMiB(pids) > before + allowed.leftMiB && performance.now() - begun < allowed.backWithinMs)
    await sleep(250);
  return performance.now() - begun;
}

const folder = mkdtempSync(join(tmpdir(), 'slow-readers-'));
const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder)] });
const contention = new Contention();
const failures: string[] = [];
const judge = (holds: boolean, text: string): void => {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${text}`);
  if (!holds) failures.push(text);
};
try {
  const { url } = cluster;
  const pids = processTree(cluster.launcher.pid as number);
  for (let i = 0; i < Number(flags.objects); i++) {
    await whole(
      url,
      'POST',
      path,
      'application/json',
      JSON.stringify({ metadata: { name: `c${i}` }, data: { a: `line "${i}"\n`.repeat(1500) } }),
    );
  }
  await quickLists(url);
  const before = memoryMiB(pids);
  const alone: number[] = [];
  const beside: number[] = [];
  let peak = before;
  const memorySampler = setInterval(() => {
    peak = Math.max(peak, memoryMiB(pids));
  }, 200);
  const takeWaits = watchWaits(url);
  for (let round = 0; round < Number(flags.rounds); round++) {
    alone.push(await quickLists(url));
    const slow = await Promise.all(
      Array.from({ length: slowClients }, async (_, client) =>
        readSlowly(await begin(url, 'GET', target(client), listForm(client))),
      ),
    );
    beside.push(await quickLists(url));
    for (const cut of slow) cut();
  }
  const cutAll = await Promise.all(
    Array.from({ length: quickClients + slowClients }, async (_, client) =>
      readSlowly(await begin(url, 'GET', target(client), listForm(client))),
    ),
  );
  await sleep(1000);
  for (const cut of cutAll) cut();
  const backMs = await untilBack(pids, before);
  const waits = await takeWaits();
  const factor = contention.factor();
  clearInterval(memorySampler);
  const slowdown = Math.min(...beside) / Math.min(...alone);
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? 0;
  judge(
    slowdown <= allowed.slowdown,
    `lists beside slow readers take ${slowdown.toFixed(2)} times as long as without (at most ${allowed.slowdown})`,
  );
  judge(
    peak - before <= allowed.growthMiB,
    `memory grew by ${(peak - before).toFixed(0)} MiB (at most ${allowed.growthMiB})`,
  );
  judge(
    backMs < allowed.backWithinMs,
    `memory was back after ${(backMs / 1000).toFixed(1)} s: ${(memoryMiB(pids) - before).toFixed(0)} MiB above the start (at most ${allowed.leftMiB} after ${allowed.backWithinMs / 1000} s)`,
  );
  const summary = `p99 of an administrator's GET ${p99.toFixed(0)} ms, longest ${(waits.at(-1) ?? 0).toFixed(0)} ms (at most ${allowed.p99Ms} on a quiet machine)`;
  // Beside other work it is the machine that waits.
  if (factor > largestFactor)
    console.log(`not judged, work takes ${factor.toFixed(1)} times as long as on a quiet machine: ${summary}`);
  else judge(p99 <= allowed.p99Ms * factor, summary);
} finally {
  contention.stop();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
if (failures.length > 0) process.exitCode = 1;
