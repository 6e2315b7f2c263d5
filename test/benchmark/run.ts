// Measures this server beside the reference in one run: CPU per operation, latency, start, memory.
//   npm run bench [-- --write] [--seconds 5] [--only PATTERN]
// kbench, and for the comparison kube-apiserver and etcd, lie in $REFERENCE_BIN (kbench also on PATH). `npm ci` has
// built what is measured. --write puts the table into README.md.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram, startReference } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { runKbench } from './kbench.ts';
import type { Figures, Measured } from './kbench.ts';
import { memoryMiB, processTree } from './processes.ts';
import { protobufLoad, runProtobufLoad } from './protobuf-load.ts';
import { startUpMs } from './start-up.ts';
import { figuresTable } from './table.ts';
import type { Row } from './table.ts';
import { workloads, type NamedWorkload } from './workloads.ts';

const settleMs = 3000;
/** Each workload runs unmeasured for so long first, on both. */
const warmUpSeconds = 2;
const starts = 5;

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '5' },
    only: { type: 'string', default: '' },
  },
});

const kbench = referenceProgram('kbench') ?? 'kbench';
const withReference = referenceProgram('kube-apiserver') !== undefined && referenceProgram('etcd') !== undefined;
if (!withReference) console.log('no kube-apiserver with etcd in $REFERENCE_BIN: only our own figures');
try {
  execFileSync(kbench, ['-run', 'none', '-server', 'https://127.0.0.1:1']);
} catch (error) {
  console.error(
    `kbench does not run; name its folder in REFERENCE_BIN: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exit(1);
}

const npmStartMs = await startUpMs('npm', starts);
const nodeStartMs = await startUpMs('node', starts);
const folder = mkdtempSync(join(tmpdir(), 'bench-'));
const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(folder), '--service-cluster-ip-range', '10.0.0.0/16'],
});
const ours: Measured = { url: cluster.url, token: adminToken, pids: processTree(cluster.launcher.pid ?? 0) };
const reference = withReference ? await startReference() : undefined;
try {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  const totals = {
    npmStartMs,
    nodeStartMs,
    memoryMiB: memoryMiB(ours.pids),
    referenceStartMs: reference?.readyMs,
    referenceMemoryMiB: reference && memoryMiB(reference.pids),
  };
  const rows: Row[] = [];
  const chosen = workloads.filter(({ name }) => new RegExp(values.only, 'i').test(name));
  const seconds = Number(values.seconds);
  for (const workload of chosen) {
    for (const server of reference ? [ours, reference] : [ours]) await measure(server, workload, warmUpSeconds);
  }
  for (const workload of chosen) {
    const row: Row = {
      ...workload,
      ours: await measure(ours, workload, seconds),
      reference: reference && (await measure(reference, workload, seconds)),
    };
    rows.push(row);
    // A process that died and came back would have worked uncounted.
    const now = processTree(cluster.launcher.pid ?? 0);
    if (now.some((pid) => !ours.pids.includes(pid)))
      throw new Error(`processes changed during ${workload.name}:\n${cluster.output()}`);
    console.log(
      `${row.name}: ${row.ours.cpuMicros} µs of ${row.reference?.cpuMicros ?? '?'} ${row.ours.errors} ${row.reference?.errors ?? ''}`,
    );
  }
  const table = figuresTable(
    rows,
    totals,
    new Date().toISOString().slice(0, 10),
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}`,
  );
  console.log(`\n${table}`);
  if (values.write) writeReadme(table);
} finally {
  await cluster.close();
  await reference?.close();
  rmSync(folder, { recursive: true, force: true });
}

function measure(server: Measured, workload: NamedWorkload, seconds: number): Promise<Figures> {
  const own = workload.protobuf ? protobufLoad(workload.run) : undefined;
  return own === undefined ? runKbench(kbench, server, workload, seconds) : runProtobufLoad(server, own, seconds);
}

function writeReadme(table: string): void {
  const readme = join(import.meta.dirname, 'README.md');
  const [start, end] = ['<!-- figures -->', '<!-- end of figures -->'];
  const text = readFileSync(readme, 'utf8');
  writeFileSync(
    readme,
    `${text.slice(0, text.indexOf(start) + start.length)}\n${table}${text.slice(text.indexOf(end))}`,
  );
}
