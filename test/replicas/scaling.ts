// GET and LIST with one core process and with two, each pinned to a processor of its own:
//   node --import tsx test/replicas/scaling.ts [--seconds 8] [--share 0.2]
// The gateway and kbench run on all processors; where there are few of them, they would take all of what a second core
// adds. So each core gets only a share of its processor (as root, by control groups; --share 1 leaves it the whole).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runKbench } from '#test/benchmark/kbench.ts';
import { processesOf } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { adminToken, writeTokens } from '#test/tokens.ts';
import { ProcessorShares } from './processor-share.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '8' }, share: { type: 'string', default: '0.2' } },
});
const pin = process.env['TASKSET'] ?? 'taskset';
const seconds = Number(values.seconds);
const share = Number(values.share);
const kbench = referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');

const rates = new Map<string, number>();
for (const cores of [1, 2]) {
  const folder = mkdtempSync(join(tmpdir(), 'scaling-'));
  const shares = new ProcessorShares();
  const cluster = await startCluster({
    bundled: true,
    flags: ['--token-auth-file', writeTokens(folder), '--core-replicas', String(cores)],
    readyWithinMs: 60_000,
  });
  try {
    const pids = processesOf(cluster, 'core');
    for (const [index, pid] of pids.entries()) {
      execFileSync(pin, ['-acp', String(index % availableParallelism()), String(pid)], { stdio: 'ignore' });
      if (share < 1) shares.limit(pid, share);
    }
    for (const run of ['get', 'list500', 'listall']) {
      const { perSecond, p50Ms, p99Ms, cpuMicros, errors } = await runKbench(
        kbench,
        { url: cluster.url, token: adminToken, pids },
        { run, protobuf: false },
        seconds,
      );
      const before = rates.get(run);
      rates.set(run, perSecond);
      const gain = before === undefined ? '' : `, ${(perSecond / before).toFixed(2)} times one core's`;
      console.log(
        `${cores} core${cores > 1 ? 's' : ' '}  ${run.padEnd(8)} ${String(perSecond).padStart(6)}/s${gain}  p50 ${p50Ms} ms  p99 ${p99Ms} ms  ${cpuMicros} µs of the cores' CPU each ${errors}`,
      );
    }
  } finally {
    await cluster.close();
    shares.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
