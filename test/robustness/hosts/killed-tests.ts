// Processes of tests that are killed with SIGKILL while they have a cluster: nothing of them may be left, no process
// once the channel to it has ended, and no folder after the next start.
//   node --import tsx test/robustness/hosts/killed-tests.ts [--count 20] [--at-once 4]
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startCluster } from '#servers/host/client/start-cluster.ts';

const { values } = parseArgs({
  options: { count: { type: 'string', default: '20' }, 'at-once': { type: 'string', default: '4' } },
});
/** A host that takes longer will never end. */
const giveUpMs = 30_000;
const script = fileURLToPath(new URL('../../integration/host/leave-cluster.ts', import.meta.url));

interface Left {
  readonly pid: number;
  readonly folder: string;
}

/** Runs a test that starts a cluster and is killed. */
function killedTest(): Promise<Left> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, ['--import', 'tsx', script], (error, stdout, stderr) => {
      if (error?.signal !== 'SIGKILL') {
        reject(new Error(`the test was not killed: ${stderr}`));
        return;
      }
      const [pid, kubeconfig] = JSON.parse(stdout) as [number, string];
      resolve({ pid, folder: dirname(dirname(kubeconfig)) });
    });
  });
}

function isAlive(pid: number): boolean {
  try {
    return !/^State:\tZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves with the milliseconds until the host had ended. */
async function untilEnded({ pid }: Left): Promise<number> {
  const started = performance.now();
  while (isAlive(pid)) {
    if (performance.now() - started > giveUpMs) throw new Error(`host ${pid} outlived its test`);
    await sleep(5);
  }
  return performance.now() - started;
}

const count = Number(values.count);
const left: Left[] = [];
const taken: number[] = [];
let started = 0;
await Promise.all(
  Array.from({ length: Number(values['at-once']) }, async () => {
    while (started++ < count) {
      const one = await killedTest();
      left.push(one);
      taken.push(await untilEnded(one));
    }
  }),
);
await (await startCluster()).close();
const folders = left.map(({ folder }) => folder).filter((folder) => existsSync(folder));
if (folders.length > 0) throw new Error(`folders are left: ${folders.join(', ')}`);
process.stdout.write(
  `${left.length} tests were killed; their hosts ended within ${Math.max(...taken).toFixed(0)} ms; no folder is left\n`,
);
