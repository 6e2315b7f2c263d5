import assert from 'node:assert/strict';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster } from '#test/cluster.ts';
import { startEtcdCluster } from '#test/etcd-cluster.ts';
import { createMap, maps, untilReady, untilWritten, withClient, type Scenario } from './scenario.ts';

const absentMs = Number(process.env['ABSENT_SECONDS'] ?? 15) * 1000;
const resumesWithinMs = 10_000;
/** A call to etcd is tried for 10 s, and a read may join the call after the one that is under way. */
const answersWithinMs = 25_000;

/** The servers start before etcd; etcd is gone for a while, ended or standing still; nothing is restarted. */
export async function away({ program, folder, say }: Scenario): Promise<void> {
  const etcd = await startEtcdCluster(program, join(folder, 'etcd'));
  const [member] = etcd.members;
  assert.ok(member);
  await member.stop();
  const starting = startCluster({ bundled: true, flags: ['--etcd-servers', etcd.endpoints], readyWithinMs: 90_000 });
  await sleep(4_000);
  await member.restart();
  const cluster = await starting;
  say('started before etcd, ready once it was there');
  try {
    await withClient(cluster, async (client) => {
      assert.equal((await createMap(client, 'before')).status, 201);
      for (const how of ['ended', 'standing still'] as const) {
        const pids = cluster.output().match(/ended \(/g)?.length ?? 0;
        if (how === 'ended') await member.stop();
        else member.signal('SIGSTOP');
        const goneMs = performance.now();
        const timed = async (path: string): Promise<{ status: number; text: string }> => {
          const started = performance.now();
          const answer = await client.send('GET', path);
          assert.ok(
            performance.now() - started < answersWithinMs,
            `${path} took ${Math.round(performance.now() - started)} ms`,
          );
          return answer;
        };
        assert.equal(
          (await timed(`${maps}/before?resourceVersion=0`)).status,
          200,
          'reads that may be old come from the cache',
        );
        assert.equal((await timed(`${maps}?resourceVersion=0`)).status, 200);
        const current = await timed(`${maps}/before`);
        // As the reference answers, which waits for a minute.
        assert.deepEqual(
          [current.status, messageOf(current.text)],
          [504, 'Timeout: request did not complete within the allotted timeout'],
        );
        const started = performance.now();
        const write = await createMap(client, `away-${how.slice(0, 5)}`);
        assert.ok(
          write.status >= 500 && performance.now() - started < answersWithinMs,
          `${write.status} after ${Math.round(performance.now() - started)} ms`,
        );
        assert.equal((await timed('/readyz')).status, 500);
        assert.equal((await timed('/livez')).status >= 200, true);
        say(
          `${how}: old reads go on; a current read: ${current.status} ${messageOf(current.text)}; a write: ${write.status} ${messageOf(write.text)}`,
        );
        await sleep(Math.max(0, absentMs - (performance.now() - goneMs)));
        if (how === 'ended') await member.restart();
        else member.signal('SIGCONT');
        const resumedMs = await untilWritten(client, `after-${how.slice(0, 5)}`, resumesWithinMs);
        await untilReady(client, resumesWithinMs);
        assert.equal((await client.send('GET', `${maps}/before`)).status, 200);
        assert.equal(cluster.output().match(/ended \(/g)?.length ?? 0, pids, `no process ended: ${cluster.output()}`);
        say(
          `${how} for ${Math.round((performance.now() - goneMs) / 1000)} s: writes go on ${resumedMs} ms after it is back`,
        );
      }
    });
  } finally {
    await cluster.close();
    await etcd.close();
  }
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message: string }).message;
  } catch {
    return text;
  }
}
