import { http2Client, type ApiClient } from '#test/api-client.ts';
import type { ClusterAddress } from '#test/api-client.ts';

export interface Timing {
  readonly p50: number;
  readonly p99: number;
  readonly count: number;
  /** What was not answered as it should be: statuses and errors, with how often. */
  readonly failures: ReadonlyMap<string, number>;
}

/** What another user sees of a server meanwhile: one GET after the other, one create after the other. */
export interface VictimTimes {
  readonly get: Timing;
  readonly create: Timing;
}

const pauseMs = 5;
let serial = 0;

/** Asks for `seconds`, as one client on a connection of its own. */
export async function timeVictim(address: ClusterAddress, token: string, seconds: number): Promise<VictimTimes> {
  const client = http2Client(address, { token });
  const until = performance.now() + seconds * 1000;
  const path = '/api/v1/namespaces/victim/configmaps';
  try {
    const [get, create] = await Promise.all([
      repeat(until, () => statusOf(client, 'GET', `${path}/known`), 200),
      repeat(until, () => statusOf(client, 'POST', path, { metadata: { name: `v-${process.pid}-${++serial}` } }), 201),
    ]);
    return { get, create };
  } finally {
    client.close();
  }
}

async function statusOf(client: ApiClient, method: string, path: string, body?: unknown): Promise<number> {
  return (await client.send(method, path, { body })).status;
}

/** Asks one after the other until then, and times what is not answered by `wanted` apart. */
export async function repeat(
  until: number,
  ask: () => Promise<number>,
  wanted: number,
  everyMs = pauseMs,
): Promise<Timing> {
  const took: number[] = [];
  const failures = new Map<string, number>();
  while (performance.now() < until) {
    const start = performance.now();
    const outcome = await Promise.race([ask(), after(10_000)]).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    took.push(performance.now() - start);
    if (outcome !== wanted) failures.set(String(outcome), (failures.get(String(outcome)) ?? 0) + 1);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
  took.sort((a, b) => a - b);
  return {
    p50: took[took.length >> 1] ?? 0,
    p99: took[Math.floor(took.length * 0.99)] ?? 0,
    count: took.length,
    failures,
  };
}

function after(ms: number): Promise<string> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'no answer').unref());
}
