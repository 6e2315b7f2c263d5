import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dribble, endless } from './hostile-webhook.ts';
import { undisturbed } from './others.ts';
import type { Headers, Target } from './target.ts';

/** Webhooks that lie, never end, or are slow, and users who are much alike. */
export function attackByWebhooks(target: Target): void {
  const { tokenWebhook, accessWebhook } = target;

  describe('a token webhook', () => {
    test('that names nobody, lies about audiences, or never ends lets nobody in', { timeout: 120_000 }, async () => {
      const user = { username: 'mallory' };
      const sent = { bytes: 0 };
      const replies = {
        'no user': { authenticated: true },
        'no name': { authenticated: true, user: { username: '', groups: ['system:masters'] } },
        'another audience': { authenticated: true, user, audiences: ['elsewhere'] },
        'a text in place of yes': { authenticated: 'true', user },
        'not authenticated': { authenticated: false, user },
        'an answer without end': endless(sent),
      };
      for (const [name, reply] of Object.entries(replies)) {
        tokenWebhook.reply = () => reply;
        await undisturbed(target, async () =>
          assert.equal((await target.who(`opaque ${name}`.replaceAll(' ', '-'))).status, 401, name),
        );
      }
      assert.ok(sent.bytes < 64 * 1024 * 1024, `${sent.bytes} bytes were read`);
    });

    test('that is slow delays nobody else, and its answer is of that token alone', async () => {
      tokenWebhook.reply = ({ token }) => ({ authenticated: true, user: { username: String(token) } });
      assert.equal((await target.who('opaque-one')).name, 'opaque-one');
      assert.equal((await target.who('opaque-on')).name, 'opaque-on');
      assert.equal((await target.who('opaque-one.')).name, 'opaque-one.');
      tokenWebhook.reply = () => dribble;
      const asking = Array.from({ length: 50 }, async (_one, index) =>
        target.who(`slow-${index}`).catch(() => undefined),
      );
      await undisturbed(target, () => sleep(3000));
      assert.equal((await target.who('opaque-one')).name, 'opaque-one', 'what is known needs no webhook');
      tokenWebhook.reply = () => ({});
      void Promise.allSettled(asking);
    });
  });

  describe('an authorization webhook', () => {
    test('answers for the user and the groups that were asked for alone', async () => {
      accessWebhook.reply = ({ user, groups }) => ({
        allowed: user === 'hook:alice' && JSON.stringify(groups) === '["a","b","system:authenticated"]',
      });
      const group = (...names: string[]): Headers => names.map((name) => ['impersonate-group', name]);
      assert.equal(await target.mayList('hook:alice', group('a', 'b')), 200);
      for (const [user, headers] of [
        ['hook:alice', group('a,b')],
        ['hook:alice', group('b', 'a')],
        ['hook:alice', group('a')],
        ['hook:alice"', group('a', 'b')],
        ['hook:alicea', group('b')],
        ['hook:Alice', group('a', 'b')],
        ['hook:alice', [...group('a', 'b'), ['impersonate-uid', '1']]],
        ['hook:alice', [...group('a', 'b'), ['impersonate-extra-x', 'y']]],
      ] as const) {
        const asked = accessWebhook.asked.length;
        await target.mayList(user, headers);
        assert.equal(accessWebhook.asked.length, asked + 1, `${user} ${JSON.stringify(headers)} was not asked for`);
      }
      const asked = accessWebhook.asked.length;
      assert.equal(await target.mayList('hook:alice', group('a', 'b')), 200);
      assert.equal(accessWebhook.asked.length, asked, 'the answer was kept');
    });

    test('that contradicts itself, never ends or is slow allows nothing', { timeout: 120_000 }, async () => {
      const replies = {
        'yes and no': { allowed: true, denied: true },
        'a text in place of yes': { allowed: 'true' },
        'an answer without end': endless(),
        'a slow answer': dribble,
      };
      for (const [name, reply] of Object.entries(replies)) {
        accessWebhook.reply = () => reply;
        await undisturbed(target, async () => assert.ok((await target.mayList(`hook:${name}`)) >= 403, name));
      }
    });
  });
}
