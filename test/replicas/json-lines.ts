// Each line of each process is JSON with --logging-format=json, while processes are ended and killed:
//   node --import tsx test/replicas/json-lines.ts
import { processesOf, untilAllReady } from '#test/cluster-processes.ts';
import { startCluster } from '#test/cluster.ts';

const two = ['--core-replicas', '2', '--extensions-replicas', '2', '--gateway-replicas', '2'];
const cluster = await startCluster({
  bundled: true,
  flags: ['--logging-format=json', '-v=3', ...two],
  readyWithinMs: 60_000,
});
let ended = 0;
try {
  for (const name of ['core', 'extensions', 'gateway'] as const)
    for (const pid of processesOf(cluster, name)) {
      process.kill(pid, ended++ % 2 === 0 ? 'SIGTERM' : 'SIGKILL');
      await untilAllReady(cluster, name, 2, pid);
    }
} finally {
  await cluster.close();
}
const lines = cluster.output().trimEnd().split('\n');
const broken = lines.filter((line) => !isJsonLine(line));
console.log(`${ended} processes ended, ${lines.length} lines, ${broken.length} are no JSON`);
for (const line of broken.slice(0, 10)) console.log(`    ${line.slice(0, 300)}`);
process.exitCode = broken.length === 0 && lines.length > 0 ? 0 : 1;

/** An object with a time and a message, as klog's JSON form has them. */
function isJsonLine(line: string): boolean {
  try {
    const { ts, msg } = JSON.parse(line) as { readonly ts?: unknown; readonly msg?: unknown };
    return typeof ts === 'number' && typeof msg === 'string';
  } catch {
    return false;
  }
}
