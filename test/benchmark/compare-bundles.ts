// Puts the same load on several builds of this server in turn, each beside nothing else, and tells the medians: what a
// change costs.
//   node --import tsx test/benchmark/compare-bundles.ts [--only 'GET one'] [--rounds 6] [--seconds 2] FOLDER FOLDER…
// A FOLDER is a `dist` of this project; the first is what the others are compared with. kbench lies in $REFERENCE_BIN.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { runKbench, type Measured } from './kbench.ts';
import { processTree } from './processes.ts';
import { workloads } from './workloads.ts';

const { values, positionals: builds } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', default: '' },
    rounds: { type: 'string', default: '6' },
    seconds: { type: 'string', default: '2' },
  },
});
if (builds.length < 2) throw new Error('name at least two folders with bundles');

interface Subject extends Measured {
  readonly build: string;
  readonly cluster: Cluster;
}

const folder = mkdtempSync(join(tmpdir(), 'compare-'));
const kbench = referenceProgram('kbench') ?? 'kbench';
const subjects: Subject[] = [];
try {
  for (const build of builds) {
    process.env['QUARTERDECK_DIST'] = resolve(build);
    const cluster = await startCluster({
      bundled: true,
      flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'],
    });
    subjects.push({
      build,
      cluster,
      url: cluster.url,
      token: adminToken,
      pids: processTree(cluster.launcher.pid ?? 0),
    });
  }
  for (const workload of workloads.filter(
    ({ name, protobuf }) => !protobuf && new RegExp(values.only, 'i').test(name),
  )) {
    const seen = subjects.map((): number[] => []);
    for (const subject of subjects) await runKbench(kbench, subject, workload, 2);
    for (let round = 0; round < Number(values.rounds); round++) {
      // Each round begins with another one, for load that comes and goes.
      for (let turn = 0; turn < subjects.length; turn++) {
        const at = (turn + round) % subjects.length;
        const subject = subjects[at];
        if (subject === undefined) continue;
        const { cpuMicros, errors } = await runKbench(kbench, subject, workload, Number(values.seconds));
        if (errors !== '') throw new Error(`${subject.build}: ${errors}`);
        seen[at]?.push(cpuMicros);
      }
    }
    const [first, ...others] = seen.map((figures) => ({ median: middle(figures), best: Math.min(...figures) }));
    if (first === undefined) continue;
    console.log(
      `${workload.name}: ${first.median} µs; ${others.map(({ median, best }) => `${(median / first.median).toFixed(2)} (best ${(best / first.best).toFixed(2)})`).join(', ')}`,
    );
  }
} finally {
  for (const { cluster } of subjects) await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

function middle(figures: readonly number[]): number {
  const sorted = figures.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}
