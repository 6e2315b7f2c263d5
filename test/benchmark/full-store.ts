// Fills the embedded store of several builds with pods, starts each again in turn, and takes snapshots of the last
// one's, some of which are killed, while GETs are timed:
//   node --import tsx test/benchmark/full-store.ts [--objects 50000] [--starts 5] [--snapshots 3] FOLDER…
// A FOLDER is a `dist` of this project; the first is what the others are compared with. kbench lies in $REFERENCE_BIN.
import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import type { Cluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { cpuMs, processTree } from './processes.ts';

const { values, positionals: builds } = parseArgs({
  allowPositionals: true,
  options: {
    objects: { type: 'string', default: '50000' },
    starts: { type: 'string', default: '5' },
    snapshots: { type: 'string', default: '3' },
  },
});
const quietMs = 4000;
const folder = mkdtempSync(join(tmpdir(), 'full-store-'));

function start(build: string): Promise<Cluster> {
  process.env['QUARTERDECK_DIST'] = resolve(build);
  return startCluster({
    bundled: true,
    dataDir: join(folder, builds.indexOf(build).toString()),
    readyWithinMs: 120_000,
    flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'],
  });
}

/** Milliseconds of a build's launcher and all below it until it is ready. */
async function timedStart(build: string): Promise<{ cluster: Cluster; ms: number; cpu: number }> {
  const startedMs = performance.now();
  const cluster = await start(build);
  return { cluster, ms: performance.now() - startedMs, cpu: cpuMs(processTree(cluster.launcher.pid ?? 0)) };
}

/** How long GETs of one object took while something went on. */
async function waitsDuring(cluster: Cluster, work: () => Promise<unknown>): Promise<number[]> {
  const reader = fork(join(import.meta.dirname, 'get-waits.ts'), [cluster.url]);
  await pause(500);
  await work();
  const message = once(reader, 'message') as Promise<[number[]]>;
  reader.send('stop');
  const [waits] = await message;
  await once(reader, 'exit');
  return waits.toSorted((a, b) => a - b);
}

const p99 = (waits: readonly number[]): string =>
  `p99 ${(waits[Math.floor(waits.length * 0.99)] ?? 0).toFixed(1)} ms of ${waits.length}`;
const middle = (figures: readonly number[]): number =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length / 2)] ?? 0;

function save(build: string, cluster: Cluster, file: string) {
  return spawn(
    process.execPath,
    [
      join(resolve(build), 'quarterdeck.js'),
      'store',
      'snapshot',
      'save',
      file,
      '--data-dir',
      join(cluster.dataDir, 'store'),
    ],
    { stdio: 'ignore' },
  );
}

async function measureSnapshots(build: string, cluster: Cluster): Promise<void> {
  console.log(`  quiet: GETs ${p99(await waitsDuring(cluster, () => pause(quietMs)))}`);
  for (let i = 0; i < Number(values.snapshots); i++) {
    let took = 0;
    const waits = await waitsDuring(cluster, async () => {
      const startedMs = performance.now();
      const [code] = (await once(save(build, cluster, join(folder, `saved-${i}`)), 'exit')) as [number];
      took = performance.now() - startedMs;
      if (code !== 0) throw new Error(`snapshot save ended with ${code}`);
    });
    console.log(`  snapshot saved in ${Math.round(took)} ms: GETs ${p99(waits)}`);
    const killed = save(build, cluster, join(folder, `killed-${i}`));
    await pause((took * (i + 1)) / (Number(values.snapshots) + 1));
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    if (existsSync(join(folder, `killed-${i}`))) throw new Error('a killed snapshot has its final name');
  }
  console.log(
    `  left of killed ones: ${
      readdirSync(folder)
        .filter((name) => name.includes('killed'))
        .join(', ') || 'nothing'
    }`,
  );
}

try {
  for (const build of builds) {
    const cluster = await start(build);
    try {
      const pids = processTree(cluster.launcher.pid ?? 0);
      const out = execFileSync(
        referenceProgram('kbench') ?? 'kbench',
        [
          '-server',
          cluster.url,
          '-token',
          adminToken,
          '-pids',
          pids.join(','),
          '-run',
          'fillpods',
          '-objects',
          values.objects,
        ],
        { encoding: 'utf8' },
      );
      console.log(`${build}: ${out.trim()}`);
    } finally {
      await cluster.close();
    }
  }
  const starts = builds.map((): { ms: number; cpu: number }[] => []);
  for (let round = 0; round < Number(values.starts); round++) {
    for (const [at, build] of builds.entries()) {
      const { cluster, ms, cpu } = await timedStart(build);
      await cluster.close();
      starts[at]?.push({ ms, cpu });
    }
  }
  for (const [at, build] of builds.entries()) {
    const of = starts[at] ?? [];
    console.log(
      `${build}: start with ${values.objects} objects ${Math.round(middle(of.map(({ ms }) => ms)))} ms, ${Math.round(middle(of.map(({ cpu }) => cpu)))} ms of CPU; best ${Math.round(Math.min(...of.map(({ ms }) => ms)))} ms, ${Math.min(...of.map(({ cpu }) => cpu))} ms`,
    );
    if (Number(values.snapshots) === 0 || at < builds.length - 1) continue;
    const cluster = await start(build);
    try {
      await measureSnapshots(build, cluster);
    } finally {
      await cluster.close();
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
