import type { TLSSocket } from 'node:tls';
import { http1Client } from '#test/api-client.ts';
import { processOf } from '#test/cluster-processes.ts';
import type { Cluster } from '#test/cluster.ts';
import { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import { http2Preface, openRaw } from '#test/robustness/hostile/raw-connection.ts';
import { randomHttp1, randomHttp2 } from './random-requests.ts';
import { canaryPath, secretPath } from './random-words.ts';

const marker = 'marker-that-nobody-reads';
const servers = ['store', 'core', 'extensions', 'gateway'] as const;
/** A connection is left to itself after so long without a byte. */
const silenceMs = 250;
/** One of so many is kept open: the server must end it. */
const keptOneIn = 100;
/**
 * Idle connections live for 90 s, heads have 32 s, bodies 60 s, and so do answers of which nothing is taken: their
 * stream is reset then, and the connection lives for 90 s more. Some time for a busy machine.
 */
const openMs = 190_000;
const checkEveryMs = 2_000;

export interface FuzzOptions {
  readonly seed: number;
  readonly forMs: number;
  /** Connections at a time. */
  readonly workers: number;
}

export interface FuzzReport {
  readonly connections: number;
  /** How often each status was answered first. */
  readonly statuses: ReadonlyMap<string, number>;
  readonly findings: readonly string[];
}

/**
 * Sends random HTTP/1.1 bytes and HTTP/2 frames by senders without rights. A finding is: an answer with the marker of a
 * secret, a change of the canary, a process that ended, a server that is not ready, a connection that outlives its
 * deadlines.
 */
export async function fuzzGateway(cluster: Cluster, { seed, forMs, workers }: FuzzOptions): Promise<FuzzReport> {
  const admin = http1Client(cluster);
  await admin.send('POST', '/api/v1/namespaces/kube-system/secrets', {
    body: { metadata: { name: 'fuzz-marker' }, stringData: { a: marker } },
  });
  await admin.send('POST', '/api/v1/namespaces/default/configmaps', {
    body: { metadata: { name: 'fuzz-canary' }, data: { a: marker } },
  });
  const canary = (await admin.send('GET', canaryPath)).text;
  if (!(await admin.send('GET', secretPath)).text.includes(Buffer.from(marker).toString('base64')))
    throw new Error('the marker was not stored');
  const processes = servers.map((name) => processOf(cluster, name));
  const findings: string[] = [];
  const statuses = new Map<string, number>();
  const kept = new Map<TLSSocket, { readonly since: number; readonly sent: string }>();
  let connections = 0;
  const until = performance.now() + forMs;
  const goesOn = (): boolean => performance.now() < until && findings.length === 0;

  const count = (status: string): void => void statuses.set(status, (statuses.get(status) ?? 0) + 1);
  const worker = async (random: SeededRandom): Promise<void> => {
    while (goesOn()) {
      const http2 = random.chance(0.5);
      const bytes = http2 ? Buffer.concat([http2Preface, randomHttp2(random)]) : randomHttp1(random);
      const sent = `${http2 ? 'h2' : 'http/1.1'} ${bytes.toString('base64')}`;
      connections++;
      const socket = await openRaw(cluster.url, http2 ? 'h2' : 'http/1.1').catch(() => undefined);
      if (socket === undefined) {
        // A gateway that is gone shows in the checks.
        count('unopened');
        continue;
      }
      const answer = await exchange(socket, bytes);
      if (answer.includes(marker) || answer.includes(Buffer.from(marker).toString('base64')))
        findings.push(`the marker was read by ${sent}`);
      const status = http2 ? 'HTTP/2' : (/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'none');
      count(status);
      if (socket.destroyed) continue;
      if (!random.chance(1 / keptOneIn)) socket.destroy();
      else {
        kept.set(socket, { since: performance.now(), sent });
        socket.on('close', () => kept.delete(socket));
      }
    }
  };
  const check = async (): Promise<void> => {
    const now = (await admin.send('GET', canaryPath)).text;
    if (now !== canary) findings.push(`the canary was changed: ${now}`);
    if ((await admin.send('GET', '/readyz')).status !== 200) findings.push('the gateway is not ready');
    const current = servers.map((name) => processOf(cluster, name));
    for (const [at, name] of servers.entries())
      if (current[at] !== processes[at]) findings.push(`${name} ended: ${cluster.output().slice(-4_000)}`);
    for (const { since, sent } of kept.values())
      if (performance.now() - since > openMs) findings.push(`a connection is still open after ${openMs} ms: ${sent}`);
  };
  const checker = async (): Promise<void> => {
    while (goesOn()) {
      await check().catch((error: unknown) => findings.push(`an administrator was not answered: ${String(error)}`));
      await new Promise((resolve) => setTimeout(resolve, checkEveryMs));
    }
  };
  const random = new SeededRandom(seed);
  await Promise.all([
    checker(),
    ...Array.from({ length: workers }, (_, index) => worker(new SeededRandom(random.between(0, 2 ** 31) + index))),
  ]);
  if (findings.length === 0) await check();
  else findings.push(`the end of what the processes said: ${cluster.output().slice(-6_000)}`);
  for (const socket of kept.keys()) socket.destroy();
  admin.close();
  return { connections, statuses, findings };
}

/** What comes until the server ends the connection or falls silent. */
function exchange(socket: TLSSocket, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const done = (): void => {
      clearTimeout(timer);
      socket.off('data', more).off('close', done);
      socket.resume();
      resolve(Buffer.concat(chunks).toString('latin1'));
    };
    const more = (chunk: Buffer): void => {
      chunks.push(chunk);
      timer.refresh();
    };
    const timer = setTimeout(done, silenceMs);
    socket.on('data', more).on('close', done);
    socket.write(bytes);
  });
}
