// Two gateways, cores and extensions servers are restarted one after the other under load; no request may fail:
//   node --import tsx test/replicas/rolling-restart.ts [KBENCH]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processesOf, untilAllReady } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram } from '#test/reference.ts';
import { writeTokens } from '#test/tokens.ts';
import { SteadyLoad } from './steady-load.ts';

const betweenRestartsMs = 1_000;
const kbench = process.argv[2] ?? referenceProgram('kbench');
if (kbench === undefined) throw new Error('there is no kbench: REFERENCE_BIN names its folder');

const folder = mkdtempSync(join(tmpdir(), 'rolling-'));
const two = ['--core-replicas', '2', '--extensions-replicas', '2', '--gateway-replicas', '2'];
const cluster = await startCluster({
  bundled: true,
  flags: ['--token-auth-file', writeTokens(folder), ...two],
  readyWithinMs: 60_000,
});
try {
  const load = new SteadyLoad(cluster, kbench);
  await load.start();
  await restartAll();
  const failures = await load.stop();
  console.log(failures.length === 0 ? 'rolling restart: 0 failed requests' : `FAILED:\n${failures.join('\n')}`);
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}

async function restartAll(): Promise<void> {
  await sleep(3_000);
  for (const name of ['gateway', 'core', 'extensions'] as const) {
    for (const pid of processesOf(cluster, name)) {
      const started = performance.now();
      process.kill(pid, 'SIGTERM');
      await untilAllReady(cluster, name, 2, pid);
      console.log(`${name} ${pid} ended and another is ready after ${Math.round(performance.now() - started)} ms`);
      await sleep(betweenRestartsMs);
    }
  }
}
