// Streams to a node under strain, with a kubelet of this process:
//   node --import tsx test/robustness/attacks/streams/strain.ts [--streams 500] [--followers 200] [--megabytes 2048]
// Many exec and port-forward streams at once, followers of logs of whom some stall, and much through one stream;
// meanwhile others read, and the memory of gateway and core is watched. Core is killed: clients and kubelet know within
// a second. At the end core is told to end: open streams work on until the end of its grace.
import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { http2Client } from '#test/api-client.ts';
import { killProcess, processOf } from '#test/cluster-processes.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { addNodeWithPod, startFakeKubelet } from '#test/integration/nodes/fake-kubelet.ts';
import { upgrade } from '#test/integration/nodes/upgrade-client.ts';
import { processMemoryMiB } from '#test/robustness/hostile/process-memory.ts';
import type { ProberData } from './prober.ts';

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '500' },
    followers: { type: 'string', default: '200' },
    megabytes: { type: 'string', default: '2048' },
  },
});
const [streams, followers, megabytes] = [Number(values.streams), Number(values.followers), Number(values.megabytes)];
const growthMiB = 64;
const endWithinMs = 1000;
const graceMs = 4000;
const pods = '/api/v1/namespaces/default/pods';
const spdy = { upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
const head =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n';
const piece = Buffer.alloc(256 * 1024, 'x');

async function until(holds: () => boolean, otherwise: string, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(otherwise);
    await pause(10);
  }
}

/** Opened files of a process. */
function descriptors(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** 99 of 100 GETs of another thread take no longer, in ms. */
async function p99(prober: Worker, count: number): Promise<number> {
  prober.postMessage(count);
  const [took] = (await once(prober, 'message')) as [number[]];
  return took.toSorted((one, other) => one - other)[Math.floor(count * 0.99)] ?? 0;
}

/** Memory of gateway and core that the work takes beyond what they had, and the p99 of GETs beside it. */
async function watched(cluster: Cluster, prober: Worker, name: string, work: () => Promise<void>): Promise<void> {
  const pids = (['gateway', 'core'] as const).map((each) => processOf(cluster, each) ?? 0);
  const begun = pids.map(processMemoryMiB);
  const most = pids.map(() => 0);
  const timer = setInterval(() => {
    for (const [at, pid] of pids.entries())
      most[at] = Math.max(most[at] ?? 0, processMemoryMiB(pid) - (begun[at] ?? 0));
  }, 50);
  const before = await p99(prober, 200);
  let during = 0;
  try {
    const working = work();
    during = await p99(prober, 200);
    await working;
  } finally {
    clearInterval(timer);
  }
  const growths = most.map((value) => Math.round(value));
  process.stdout.write(
    `${name}: gateway +${growths[0]} MiB, core +${growths[1]} MiB, p99 of GETs ${before.toFixed(1)} ms before, ${during.toFixed(1)} ms beside\n`,
  );
  if (most.some((value) => value > growthMiB)) process.exitCode = 1;
}

const grace = ['--shutdown-watch-termination-grace-period', `${graceMs}ms`];
const cluster = await startCluster({ bundled: true, readyWithinMs: 120_000, flags: grace });
const admin = http2Client(cluster);
const kubelet = await startFakeKubelet(cluster);
/** What the kubelet took over. */
const open = new Set<Duplex>();
kubelet.upgrade = (_asked, socket) => {
  open.add(socket);
  socket.on('close', () => open.delete(socket)).on('end', () => socket.end());
  socket.write(head);
  socket.pipe(socket);
};
await addNodeWithPod(admin, 'here', kubelet.port, 'one', ['c']);

/** A byte there and back. */
async function ping(client: Duplex): Promise<void> {
  client.write('p');
  await once(client, 'data', { signal: AbortSignal.timeout(graceMs) });
}

const workerData: ProberData = { cluster: { url: cluster.url, pki: cluster.pki }, path: `${pods}/one` };
const prober = new Worker(new URL('prober.ts', import.meta.url), { workerData });
try {
  await p99(prober, 300);
  const clients: Duplex[] = [];
  const openOne = async (path: string): Promise<Duplex> => {
    const { socket } = await upgrade(cluster, 'POST', `${pods}/one/${path}`, spdy);
    if (socket === undefined) throw new Error(`${path} is not upgraded`);
    return socket;
  };
  /** So many at once, eight being opened at a time. */
  const openAll = async (paths: string[]): Promise<void> => {
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let path = paths.pop(); path !== undefined; path = paths.pop()) clients.push(await openOne(path));
      }),
    );
  };
  await watched(cluster, prober, `${streams} exec and ${streams} port-forward streams`, async () => {
    await openAll(
      Array.from({ length: streams * 2 }, (_, at) =>
        at % 2 === 0 ? 'exec?command=x&stdin=1&stdout=1' : 'portforward?ports=80',
      ),
    );
    await Promise.all(
      clients.map(async (client) => {
        client.write('ping');
        await new Promise((resolve) => client.once('data', resolve));
      }),
    );
  });
  assert.equal(open.size, streams * 2);

  const all = [...clients];
  const gone = Promise.all(
    all.map(
      (client) =>
        new Promise((resolve) =>
          client
            .on('close', resolve)
            .on('end', () => client.destroy())
            .resume(),
        ),
    ),
  );
  const killed = performance.now();
  killProcess(cluster, 'core');
  await gone;
  const clientsKnow = performance.now() - killed;
  await until(() => open.size === 0, `${open.size} connections to the kubelet stay`);
  process.stdout.write(
    `core is killed: clients know after ${Math.round(clientsKnow)} ms, the kubelet after ${Math.round(performance.now() - killed)} ms\n`,
  );
  if (clientsKnow > endWithinMs) process.exitCode = 1;
  for (let status = 0; status !== 200; await pause(100)) status = (await admin.send('GET', `${pods}/one`)).status;
  const [gatewayPid, corePid] = [processOf(cluster, 'gateway') ?? 0, processOf(cluster, 'core') ?? 0];
  await p99(prober, 300);
  const files = [descriptors(gatewayPid), descriptors(corePid)];

  clients.length = 0;
  await openAll(Array.from({ length: 50 }, () => 'exec?command=x&stdin=1&stdout=1'));
  for (const client of clients) client.destroy();
  await until(() => open.size === 0, 'the kubelet does not notice that clients left', 5_000);
  await until(
    () => descriptors(gatewayPid) <= (files[0] ?? 0) + 3 && descriptors(corePid) <= (files[1] ?? 0) + 3,
    'descriptors stay',
    5_000,
  );

  let written = 0;
  kubelet.answer = (_request, response) => {
    const timer = setInterval(() => {
      if (response.writableLength < 1024 * 1024) response.write(piece.subarray(0, 16 * 1024));
      written += 16 * 1024;
    }, 20);
    response.on('close', () => clearInterval(timer));
  };
  await watched(cluster, prober, `${followers} followers of logs, a quarter of them stalled`, async () => {
    const logs = await Promise.all(
      Array.from({ length: followers }, async (_, at) => {
        const client = await upgrade(cluster, 'GET', `${pods}/one/log?follow=true`, {});
        if (at % 4 !== 0) client.response.resume();
        return client.response;
      }),
    );
    await pause(5000);
    for (const log of logs) log.destroy();
  });

  const through = await openOne('exec?command=x&stdin=1&stdout=1');
  await watched(cluster, prober, `${megabytes} MB through one stream and back`, async () => {
    let back = 0;
    through.on('data', (chunk: Buffer) => (back += chunk.length));
    for (let sent = 0; sent < megabytes * 1024 * 1024; sent += piece.length)
      if (!through.write(piece)) await new Promise((resolve) => through.once('drain', resolve));
    await until(() => back >= megabytes * 1024 * 1024, `only ${back} bytes came back`, 300_000);
  });
  through.destroy();

  clients.length = 0;
  await openAll(Array.from({ length: 50 }, () => 'exec?command=x&stdin=1&stdout=1'));
  const signalledAt = performance.now();
  const cut = clients.map(async (client) => {
    await once(client, 'end');
    client.destroy();
    return performance.now() - signalledAt;
  });
  process.kill(processOf(cluster, 'core') ?? 0, 'SIGTERM');
  await pause(graceMs / 2);
  await Promise.all(clients.map(ping));
  for (const client of clients) client.resume();
  const [first = 0, last = 0] = [Math.min(...(await Promise.all(cut))), Math.max(...(await Promise.all(cut)))];
  process.stdout.write(
    `core is told to end: 50 streams answer after ${graceMs / 2} ms and end after ${Math.round(first)} to ${Math.round(last)} ms of ${graceMs} ms of grace\n`,
  );
  if (first < graceMs - 100 || last > graceMs + endWithinMs) process.exitCode = 1;
} finally {
  await prober.terminate();
  admin.close();
  kubelet.close();
  await cluster.close();
}
