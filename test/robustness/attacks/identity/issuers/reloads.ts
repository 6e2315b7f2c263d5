import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { alice, type Target } from './target.ts';

/** Requests while the configuration changes. */
export function attackByReloads(target: Target): void {
  describe('a reload under load', () => {
    test('lets nobody in by a mix of old and new, and a broken one changes nothing', { timeout: 120_000 }, async () => {
      const seen = new Set<string>();
      const ending = new AbortController();
      const load = Array.from({ length: 8 }, async (_one, worker) => {
        for (let count = 0; !ending.signal.aborted; count += 1) {
          const { status, name, groups } = await target.who(target.token('one', { jti: `${worker}-${count % 50}` }));
          assert.equal(status, 201);
          const [prefix = ''] = name.split(':');
          assert.deepEqual(groups, [`${prefix}:one:dev`, 'system:authenticated']);
          seen.add(prefix);
        }
      });
      for (const text of ['second:', 'third:', 'fourth:'].flatMap((prefix) => [
        target.configuration(prefix),
        '{"broken',
        '',
      ])) {
        target.reload(text);
        await sleep(1200);
      }
      const last = await target.who(target.token('one'));
      ending.abort();
      await Promise.all(load);
      assert.equal(last.name, 'fourth:one:alice');
      assert.deepEqual([...seen], ['first', 'second', 'third', 'fourth']);
      target.reload(target.configuration('first:'));
      while ((await target.who(target.token('one'))).name !== alice.name) await sleep(100);
    });
  });
}
