// Child of slow-readers.ts: reads one object again and again on a connection of its own, and tells how long each answer
// took.
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { adminToken } from '#test/tokens.ts';

const url = process.argv[2] as string;
const agent = new Agent({ keepAlive: true, maxSockets: 1, rejectUnauthorized: false });
const stop = new AbortController();
process.on('message', () => stop.abort());

function get(): Promise<void> {
  return new Promise((resolve, reject) => {
    request(
      `${url}/api/v1/namespaces/default`,
      { agent, headers: { authorization: `Bearer ${adminToken}` } },
      (answer) => {
        answer.on('error', reject).on('end', resolve).resume();
      },
    )
      .on('error', reject)
      .end();
  });
}

await get();
const waits: number[] = [];
while (!stop.signal.aborted) {
  const begun = performance.now();
  await get();
  waits.push(performance.now() - begun);
  await sleep(20);
}
process.send?.(waits);
process.disconnect?.();
agent.destroy();
