// Loaded into each process of a cluster (`--import`): writes down the turns of its event loop that took long. CPU time of
// the thread counts, not time that passed, since other work on the machine must not.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const noteworthyMs = 4;
const file = process.env['LOOP_TURNS_FILE'];

if (file !== undefined && isMainThread && process.send !== undefined) {
  const name = process.argv[2] ?? '';
  let before = usedMs();
  setInterval(() => {
    const now = usedMs();
    if (now - before > noteworthyMs) appendFileSync(file, `${name} ${Date.now()} ${(now - before).toFixed(1)}\n`);
    before = usedMs();
  }, 1).unref();
}

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
