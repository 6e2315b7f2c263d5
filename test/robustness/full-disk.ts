/**
 * Fills the disk under the bundles' data directory at random moments while clients write, kills the store with SIGKILL
 * in half of the rounds, and makes room again. Held: nothing acknowledged is lost, deletions and reads go on while it
 * is full, `/readyz` stays green (as kube-apiserver's does with a full etcd), writes go on when there is room again,
 * few lines are logged. Usage: full-disk.ts [--rounds 20] [--seed 1] [--within SECONDS] [--full 3] [--kbench RATE];
 * needs the right to mount a tmpfs. --full: seconds that a round stays full; --kbench: kbench of $REFERENCE_BIN creates
 * and patches so many objects a second beside it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { http1Client } from '#test/api-client.ts';
import type { Answer, ApiClient } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { descendantsOf } from '#test/e2e/npm-start/process-tree.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { LimitedDisk } from './faults/limited-disk.ts';
import { SeededRandom } from './faults/seeded-random.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    // Longer than any machine takes: what does not go on at all is to be found. Of a quiet one 5 is asked.
    within: { type: 'string', default: '120' },
    full: { type: 'string', default: '3' },
    kbench: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const withinMs = Number(values.within) * 1000;
const fullMs = Number(values.full) * 1000;
const random = new SeededRandom(Number(values.seed));
const path = '/api/v1/namespaces/default/configmaps';
const writers = 8;
const deletions = 10;

const folder = mkdtempSync(join(tmpdir(), 'full-disk-'));
const disk = LimitedDisk.mount(join(folder, 'disk'));
if (disk === undefined) {
  process.stdout.write('!!! LEFT OUT: a full disk: this user may not mount one\n');
  process.exit(0);
}

/** What is acknowledged: names that must be there, and whether they must not. */
const there = new Set<string>();
const gone = new Set<string>();
/** Asked for without an answer: may be either. */
const unknown = new Set<string>();
let next = 0;

async function create(client: ApiClient): Promise<Answer | undefined> {
  const name = `m-${next++}`;
  unknown.add(name);
  const answer = await client
    .send('POST', path, {
      body: { metadata: { name }, data: { text: 'x'.repeat(10_000 + random.between(0, 80_000)) } },
    })
    .catch(() => undefined);
  if (answer?.status === 201) there.add(name);
  if (answer !== undefined && answer.status !== 504) unknown.delete(name);
  return answer;
}

/** Repeats until the answer is the wanted one. @returns milliseconds until then */
async function until(what: string, status: number, ask: () => Promise<Answer | undefined>): Promise<number> {
  const startedMs = performance.now();
  for (let last: Answer | undefined; ; await pause(20)) {
    last = await ask();
    if (last?.status === status) return performance.now() - startedMs;
    assert.ok(
      performance.now() - startedMs < withinMs,
      `${what} was not ${status} within ${withinMs} ms: ${last?.status} ${last?.text.slice(0, 300)}`,
    );
  }
}

async function compare(client: ApiClient): Promise<void> {
  const { json } = await client.send('GET', path);
  const found = new Set((json.items as { metadata: { name: string } }[]).map((item) => item.metadata.name));
  const lost = [...there].filter((name) => !found.has(name));
  const back = [...gone].filter((name) => found.has(name));
  assert.deepEqual([lost, back], [[], []], 'acknowledged creations that are lost, and deletions that came back');
}

function startKbench(url: string, run: string, rate: string): ChildProcess {
  return spawn(
    referenceProgram('kbench') ?? 'kbench',
    ['-server', url, '-token', adminToken, '-run', run, '-rate', rate, '-d', '1h'],
    { stdio: 'ignore' },
  );
}

const slowest = { writes: 0, reads: 0 };
let [fullRounds, lines, quietMs, mostLines] = [0, 0, 0, 0];
const cluster = await startCluster({
  dataDir: join(disk.path, 'data'),
  bundled: true,
  readyWithinMs: 60_000,
  flags: ['--token-auth-file', writeTokens(folder)],
});
const client = http1Client(cluster);
const loads =
  values.kbench === undefined
    ? []
    : ['create', 'patch'].map((run) => startKbench(cluster.url, run, values.kbench as string));
try {
  // The reserve is made beside the first requests.
  await pause(3000);
  for (let round = 0; round < rounds; round++) {
    const stopped = new AbortController();
    let refused = 0;
    const writing = Array.from({ length: writers }, async () => {
      while (!stopped.signal.aborted) {
        const answer = await create(client);
        if (answer?.text.includes('database space exceeded') === true) refused++;
        if (answer?.status !== 201) await pause(50);
      }
    });
    await pause(200 + random.between(0, 1500));
    disk.fill(random.between(0, 2 * 1024 * 1024));
    const [startedMs, outputAt] = [performance.now(), cluster.output().length];
    const kills = round % 2 === 1;
    if (kills) {
      await pause(random.between(0, fullMs));
      const store = descendantsOf(cluster.launcher.pid as number).find((child) => child.server === 'store');
      if (store !== undefined) process.kill(store.pid, 'SIGKILL');
    }
    await pause(Math.max(0, fullMs - (performance.now() - startedMs)));
    if (refused > 0) fullRounds++;
    slowest.reads = Math.max(
      slowest.reads,
      await until('a list on a full disk', 200, () => client.send('GET', `${path}?limit=1`).catch(() => undefined)),
    );
    for (const name of [...there].slice(0, deletions)) {
      await until(`the deletion of ${name} on a full disk`, 200, () =>
        client.send('DELETE', `${path}/${name}`).catch(() => undefined),
      );
      there.delete(name);
      gone.add(name);
    }
    await until('/readyz on a full disk', 200, () => client.send('GET', '/readyz').catch(() => undefined));
    stopped.abort();
    await Promise.all(writing);
    await compare(client);
    const lineCount = cluster.output().slice(outputAt).split('\n').length - 1;
    if (!kills) {
      lines += lineCount;
      mostLines = Math.max(mostLines, lineCount);
      quietMs += performance.now() - startedMs;
    }
    disk.empty();
    slowest.writes = Math.max(slowest.writes, await until('a creation with room again', 201, () => create(client)));
    await compare(client);
  }
  assert.ok(fullRounds > 0, 'the disk was never full');
  process.stdout.write(
    `${rounds} times full (${fullRounds} met by writers), seed ${values.seed}: ${there.size} acknowledged objects are there, ${gone.size} deleted ones are not, ${unknown.size} without an answer; ` +
      `writes went on after ${Math.round(slowest.writes)} ms at most, reads after ${Math.round(slowest.reads)} ms; ${lines} lines in the ${Math.round(quietMs / 1000)} s of rounds without a kill, ${mostLines} at most in one\n`,
  );
  process.stdout.write(process.env['FULL_DISK_OUTPUT'] === undefined ? '' : cluster.output());
} catch (error) {
  process.stdout.write(cluster.output().slice(-4000));
  throw error;
} finally {
  client.close();
  for (const load of loads) load.kill('SIGKILL');
  await cluster.close();
  disk.unmount();
  rmSync(folder, { recursive: true, force: true });
}
