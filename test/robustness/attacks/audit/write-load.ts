import { setTimeout as sleep } from 'node:timers/promises';
import { http2Client, type ClusterAddress } from '#test/api-client.ts';

/** What a load waited for. */
export interface LoadResult {
  readonly writes: number;
  readonly failures: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const clients = 4;
const collection = '/api/v1/namespaces/default/configmaps';
/** So many that two changes of one object are rarely under way. */
const objects = 256;
const tickMs = 10;

/** Makes the objects that a load changes. */
export async function prepareObjects(address: ClusterAddress): Promise<void> {
  const client = http2Client(address);
  for (let at = 0; at < objects; at++)
    await client.send('POST', collection, { body: { metadata: { name: `written-${at}` } } });
  client.close();
}

/** Changes objects so many times a second, whether or not the changes are answered. */
export async function writeAt(address: ClusterAddress, perSecond: number, forMs: number): Promise<LoadResult> {
  const connections = Array.from({ length: clients }, () => http2Client(address));
  const waits: number[] = [];
  let failures = 0;
  let sent = 0;
  const send = async (at: number): Promise<void> => {
    const beganMs = performance.now();
    const body = { data: { text: String(at) } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const answer = await connections[at % clients]?.send('PATCH', `${collection}/written-${at % objects}`, {
      body,
      headers,
    });
    waits.push(performance.now() - beganMs);
    if (answer?.status !== 200) failures++;
  };
  const pending: Promise<void>[] = [];
  const beganMs = performance.now();
  for (let passedMs = 0; passedMs < forMs; passedMs = performance.now() - beganMs) {
    for (; sent < (passedMs / 1000) * perSecond; sent++) pending.push(send(sent));
    await sleep(tickMs);
  }
  await Promise.all(pending);
  const seconds = (performance.now() - beganMs) / 1000;
  for (const connection of connections) connection.close();
  const sorted = waits.toSorted((a, b) => a - b);
  const quantile = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { writes: sent, failures, perSecond: sent / seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99) };
}
