// One core of two ends with SIGKILL under load, three times:
//   node --import tsx test/replicas/killed-core.ts [--recovers-within SECONDS]
// No read fails before its first byte; of the writes only those that were under way on it, with a 503 that does not
// invite to repeat them; a list that breaks off in the middle is an error at the client. With the flag the throughput
// has to be back in that time: 2 on a quiet machine.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client, http2Client } from '#test/api-client.ts';
import { processesOf, untilAllReady } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { writeTokens } from '#test/tokens.ts';

const kills = 3;
const workers = 6;
const objects = 500;
const beforeMs = 3_000;
const { values: flags } = parseArgs({ options: { 'recovers-within': { type: 'string' } } });
const recoversWithinMs = Number(flags['recovers-within'] ?? 2) * 1000;
/** Of the throughput before. The killed process is being started again on the same processors meanwhile. */
const recoveredPart = 0.5;
const windowMs = 500;
const maps = '/api/v1/namespaces/kube-public/configmaps';

type Kind = 'get' | 'list' | 'create';
interface Done {
  readonly kind: Kind;
  readonly atMs: number;
  /** Empty: as it should be. */
  readonly failure: string;
}

const folder = mkdtempSync(join(tmpdir(), 'killed-'));
const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(folder), '--core-replicas', '2'],
  readyWithinMs: 60_000,
});
const load = { over: false };
const done: Done[] = [];
const failures: string[] = [];
try {
  await fill();
  const running = Array.from({ length: workers }, (_, index) =>
    (['get', 'list', 'create'] as const).map((kind) => work(kind, index)),
  ).flat();
  for (let kill = 0; kill < kills; kill++) await killOne(kill);
  load.over = true;
  await Promise.all(running);
  console.log(failures.length === 0 ? 'killed core: as it should be' : `FAILED:\n${failures.join('\n')}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  const client = http2Client(cluster);
  for (let index = 0; index < objects; index++) {
    const { status, text } = await client.send('POST', maps, {
      body: { metadata: { name: `filled-${index}` }, data: { text: 'x'.repeat(1_000) } },
    });
    if (status !== 201) throw new Error(`${status} ${text}`);
  }
  client.close();
}

async function work(kind: Kind, index: number): Promise<void> {
  const client = index % 2 === 0 ? http2Client(cluster) : http1Client(cluster);
  for (let count = 0; !load.over; count++)
    done.push({ kind, failure: await one(client, kind, `${kind}-${index}-${count}`), atMs: performance.now() });
  client.close();
}

async function one(client: ReturnType<typeof http1Client>, kind: Kind, name: string): Promise<string> {
  try {
    if (kind === 'get') return failureOf(await client.send('GET', `${maps}/filled-1`), 200);
    if (kind === 'create')
      return failureOf(
        await client.send('POST', maps.replace('kube-public', 'default'), { body: { metadata: { name } } }),
        201,
      );
    const answer = await client.send('GET', maps);
    // Of a broken answer this throws.
    const items = answer.status === 200 ? (JSON.parse(answer.text) as { items: unknown[] }).items.length : objects;
    return items < objects ? `a list of ${items} that looks complete` : failureOf(answer, 200);
  } catch (error) {
    return error instanceof SyntaxError
      ? `a broken answer that looks complete: ${error.message}`
      : `cut: ${String(error)}`;
  }
}

function failureOf(
  { status, text, headers }: { status: number; text: string; headers: object },
  expected: number,
): string {
  return status === expected ? '' : `${status} ${'retry-after' in headers ? '(Retry-After) ' : ''}${text}`;
}

async function killOne(index: number): Promise<void> {
  await sleep(beforeMs);
  const [first = 0, second = 0] = processesOf(cluster, 'core');
  const pid = index % 2 === 0 ? first : second;
  const killedMs = performance.now();
  const usual = done.filter(({ atMs }) => atMs > killedMs - 2_000).length / 2_000;
  process.kill(pid, 'SIGKILL');
  await sleep(recoversWithinMs + windowMs);
  const after = done.filter(({ atMs }) => atMs >= killedMs);
  const failed = after.filter(({ failure }) => failure !== '');
  let recoveredMs = -1;
  for (let from = killedMs; from <= killedMs + recoversWithinMs && recoveredMs < 0; from += 50) {
    const rate =
      after.filter(({ atMs, failure }) => failure === '' && atMs >= from && atMs < from + windowMs).length / windowMs;
    if (rate >= usual * recoveredPart) recoveredMs = Math.round(from - killedMs);
  }
  const writes = failed.filter(({ kind }) => kind === 'create');
  const cut = failed.filter(({ kind, failure }) => kind === 'list' && failure.startsWith('cut'));
  const wrong = failed.filter(
    (result) => !cut.includes(result) && !(result.kind === 'create' && /^503 (?!\(Retry-After\))/.test(result.failure)),
  );
  console.log(
    `core ${pid} killed at ${Math.round(usual * 1000)} requests/s: ${writes.length} writes in flight failed, ${cut.length} lists cut off, ${wrong.length} other failures; ${recoveredPart} of the throughput after ${recoveredMs} ms`,
  );
  if (writes.length > workers) failures.push(`${writes.length} writes failed, more than were in flight`);
  failures.push(...new Set(wrong.map(({ kind, failure }) => `${kind}: ${failure}`)));
  if (flags['recovers-within'] !== undefined && recoveredMs < 0)
    failures.push(`throughput did not recover within ${recoversWithinMs} ms`);
  await untilAllReady(cluster, 'core', 2, pid);
}
