import { Buffer } from 'node:buffer';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { encodeStored } from '#shared/serializer/codec.ts';
import { BenchClient, protobuf, type Call } from './bench-client.ts';
import type { Figures, Measured } from './kbench.ts';
import { benchConfigMap, benchPod } from './load-objects.ts';
import { cpuMs, memoryMiB } from './processes.ts';

/** Workloads that kbench has in JSON only, as clients that ask for protobuf put them on a server. */
const protobufLoads = ['create', 'createpod', 'patch', 'apply', 'watch'] as const;
export type ProtobufLoad = (typeof protobufLoads)[number];

/** The load of that name, if it is one of these. */
export function protobufLoad(run: string): ProtobufLoad | undefined {
  return protobufLoads.find((load) => load === run);
}

const inParallel = 32;
const changedObjects = 64;
const watchers = 100;
const events = 300;
const deliveredWithinMs = 60_000;
const core = '/api/v1/namespaces/kbench';

/** Runs one workload for so long; a watch for a number of events. Bodies are made like kbench's. */
export async function runProtobufLoad(server: Measured, load: ProtobufLoad, seconds: number): Promise<Figures> {
  const client = new BenchClient(server);
  try {
    await client.send(
      create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kbench' } }),
    );
    await client.send(
      create(`${core}/serviceaccounts`, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }),
    );
    return load === 'watch'
      ? await measureWatch(client, server)
      : await measureCalls(client, server, callsOf(load), seconds);
  } finally {
    client.close();
  }
}

function callsOf(load: Exclude<ProtobufLoad, 'watch'>): (serial: number) => Call {
  const stamp = Date.now() % 1e9;
  const patch = (name: string, query: string, type: string, body: object): Call => ({
    method: 'PATCH',
    path: `${core}/configmaps/${name}${query}`,
    type,
    body: Buffer.from(JSON.stringify(body)),
  });
  switch (load) {
    case 'create':
      return (serial) => create(`${core}/configmaps`, benchConfigMap(`b${stamp}-${serial}`));
    case 'createpod':
      return (serial) => create(`${core}/pods`, benchPod(`b${stamp}-${serial}`));
    case 'patch':
      return (serial) =>
        patch(`a-${serial % changedObjects}`, '', 'application/merge-patch+json', { data: { b: `v${serial}` } });
    case 'apply':
      return (serial) =>
        patch(
          `a-${serial % changedObjects}`,
          '?fieldManager=bench&force=true',
          'application/apply-patch+yaml',
          benchConfigMap(`a-${serial % changedObjects}`),
        );
  }
}

const facts = loadFacts();

/** `object` is of the core group. */
function create(path: string, object: JsonObject & { readonly kind: string }): Call {
  const { kind } = object;
  return {
    method: 'POST',
    path,
    type: protobuf,
    body: atOnce(encodeStored(facts.schema('', 'v1', kind), { group: '', version: 'v1', kind }, object)),
  };
}

async function measureCalls(
  client: BenchClient,
  server: Measured,
  next: (serial: number) => Call,
  seconds: number,
): Promise<Figures> {
  // What is patched must be there.
  for (let serial = 0; serial < changedObjects; serial++)
    await client.send(create(`${core}/configmaps`, benchConfigMap(`a-${serial}`)));
  const times: number[] = [];
  const errors = new Map<number, number>();
  const before = cpuMs(server.pids);
  const started = performance.now();
  let serial = 0;
  await Promise.all(
    Array.from({ length: inParallel }, async () => {
      while (performance.now() - started < seconds * 1000) {
        const call = next(serial++);
        const sent = performance.now();
        const { status } = await client.send(call);
        if (status === 200 || status === 201) times.push(performance.now() - sent);
        else errors.set(status, (errors.get(status) ?? 0) + 1);
      }
    }),
  );
  return figures(server, {
    times,
    count: times.length,
    cpu: cpuMs(server.pids) - before,
    tookMs: performance.now() - started,
    errors: [...errors].map(([status, count]) => `${count} × ${status}`).join(', '),
  });
}

/** Each of the watchers gets each of the events; frames are counted, for each is one event. */
async function measureWatch(client: BenchClient, server: Measured): Promise<Figures> {
  const label = `w${Date.now() % 1e9}`;
  const { resourceVersion } = (
    JSON.parse((await client.get(`${core}/configmaps?limit=1`, 'application/json')).toString()) as {
      metadata: { resourceVersion: string };
    }
  ).metadata;
  const all = Promise.withResolvers<void>();
  const times: number[] = [];
  let delivered = 0;
  const sentAt: number[] = [];
  const streams = await Promise.all(
    Array.from({ length: watchers }, () => {
      // Events come in the order of their writes.
      let seen = 0;
      return client.watch(
        `${core}/configmaps?watch=1&resourceVersion=${resourceVersion}&labelSelector=fan%3D${label}`,
        (frames) => {
          const now = performance.now();
          for (const until = seen + frames; seen < until; seen++) times.push(now - (sentAt[seen] ?? Number.NaN));
          delivered += frames;
          if (delivered >= watchers * events) all.resolve();
        },
      );
    }),
  );
  const timer = setTimeout(all.resolve, deliveredWithinMs);
  const before = cpuMs(server.pids);
  const started = performance.now();
  for (let serial = 0; serial < events; serial++) {
    sentAt.push(performance.now());
    await client.send(create(`${core}/configmaps`, benchConfigMap(`${label}-${serial}`, { fan: label })));
  }
  await all.promise;
  clearTimeout(timer);
  const cpu = cpuMs(server.pids) - before;
  const tookMs = performance.now() - started;
  for (const stream of streams) stream.close();
  return figures(server, {
    times,
    count: delivered,
    cpu,
    tookMs,
    errors: delivered === watchers * events ? '' : `${delivered} of ${watchers * events} delivered`,
  });
}

interface Run {
  readonly times: number[];
  readonly count: number;
  readonly cpu: number;
  readonly tookMs: number;
  readonly errors: string;
}

function figures(server: Measured, { times, count, cpu, tookMs, errors }: Run): Figures {
  times.sort((a, b) => a - b);
  const at = (part: number): number => Number((times[Math.floor((times.length - 1) * part)] ?? Number.NaN).toFixed(2));
  return {
    perSecond: Math.round((count / tookMs) * 1000),
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuMicros: Math.round((cpu * 1000) / Math.max(1, count)),
    memoryMiB: Math.round(memoryMiB(server.pids)),
    errors,
  };
}
