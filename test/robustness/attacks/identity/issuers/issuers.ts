import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { memoryMiB, processTree } from '#test/benchmark/processes.ts';
import { dribble, endless } from './hostile-webhook.ts';
import { undisturbed, withBounds } from './others.ts';
import type { Target } from './target.ts';

const servers = (): number[] => processTree(process.pid).filter((pid) => pid !== process.pid);

/** Issuers themselves: by what they answer, and by many tokens. */
export function attackByIssuers(target: Target): void {
  const { keys, keyServer } = target;
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

  describe('endpoints of keys', () => {
    for (const [name, answer] of Object.entries({
      'answer without end': endless(),
      'send a byte now and then': dribble,
    }))
      test(`that ${name} delay and let in nobody`, { timeout: 120_000 }, async () => {
        keyServer.answer = (request, response) => {
          if (request.url !== '/two/keys') return false;
          answer(response);
          return true;
        };
        const unknown = target.token('two', {}, { key: keys.one, header: { kid: name } });
        await undisturbed(target, async () => assert.equal((await target.who(unknown)).status, 401));
        assert.equal((await target.who(target.token('two', { jti: name }))).status, 201, 'known keys stay good');
        keyServer.answer = () => false;
      });

    test('that send elsewhere lead to no address without TLS, and to no keys of strangers', async () => {
      keyServer.answer = (request, response) => {
        if (request.url !== '/two/keys') return false;
        response.writeHead(302, { location: 'http://127.0.0.1:1/keys' }).end();
        return true;
      };
      const unknown = target.token('two', {}, { key: stranger, header: { kid: 'redirect' } });
      assert.equal((await target.who(unknown)).status, 401);
      keyServer.answer = () => false;
    });
  });

  describe('a flood of distinct tokens', () => {
    test('leaves memory as it was', { timeout: 240_000 }, async () => {
      const send = async (from: number, count: number): Promise<void> => {
        for (let batch = 0; batch < count; batch += 50)
          await Promise.all(
            Array.from({ length: 50 }, async (_one, index) => {
              const token = target.token('two', { sub: `flood-${from + batch + index}`, filling: 'x'.repeat(4000) });
              assert.equal((await target.who(token)).status, 201);
            }),
          );
      };
      await send(0, 2000);
      const before = memoryMiB(servers());
      await undisturbed(target, () => send(2000, withBounds ? 40_000 : 2000));
      const grown = memoryMiB(servers()) - before;
      // Two caches of 16 MiB may fill, and garbage waits.
      assert.ok(!withBounds || grown < 128, `memory grew by ${grown} MiB`);
    });
  });
}
