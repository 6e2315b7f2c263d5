// GET and LIST with one core process and with two, each pinned to a processor of its own:
//   node --import tsx test/replicas/scaling.ts [SECONDS]
// The gateway and kbench run on all processors, so that with few of them they take part of what a second core adds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { runKbench } from '../benchmark/kbench.ts';
import { processesOf } from '../cluster-processes.ts';
import { startCluster } from '../cluster.ts';
import { referenceProgram } from '../reference.ts';
import { adminToken, writeTokens } from '../tokens.ts';

const pin = process.env['TASKSET'] ?? 'taskset';
const seconds = Number(process.argv[2] ?? 8);
const kbench = referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');
for (const cores of [1, 2]) {
  const folder = mkdtempSync(join(tmpdir(), 'scaling-'));
  const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder), '--core-replicas', String(cores)], readyWithinMs: 60_000 });
  try {
    const pids = processesOf(cluster, 'core');
    for (const [index, pid] of pids.entries()) execFileSync(pin, ['-acp', String(index % availableParallelism()), String(pid)], { stdio: 'ignore' });
    for (const run of ['get', 'list500', 'listall']) {
      const { perSecond, p50Ms, p99Ms, cpuMicros, errors } = await runKbench(kbench, { url: cluster.url, token: adminToken, pids }, { run, protobuf: false }, seconds);
      console.log(`${cores} core${cores > 1 ? 's' : ' '}  ${run.padEnd(8)} ${String(perSecond).padStart(6)}/s  p50 ${p50Ms} ms  p99 ${p99Ms} ms  ${cpuMicros} µs of the cores' CPU each ${errors}`);
    }
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
