// Attacks on a server by its issuers of ID tokens, its webhooks, and by who holds tokens of them.
//   node --import tsx test/robustness/attacks/identity/issuers/run.ts [--bounds]
// `--bounds`: on a quiet machine, latencies of others and memory are judged, too.
import assert from 'node:assert/strict';
import { after, afterEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { attackByTokens } from './id-tokens.ts';
import { attackByIssuers } from './issuers.ts';
import { attackByReloads } from './reloads.ts';
import { alice, Target } from './target.ts';
import { attackByWebhooks } from './webhooks.ts';

const target = await Target.start();
after(() => target.close());
/** The issuers' keys are found in the background. */
for (let tries = 0; (await target.who(target.token('one'))).status !== 201; tries += 1) {
  assert.ok(tries < 100, 'the issuers cannot be used');
  await sleep(100);
}
afterEach(async () => {
  assert.deepEqual(await target.who(target.token('one')), alice, 'the server does not go on as before');
});
attackByTokens(target);
attackByIssuers(target);
attackByWebhooks(target);
attackByReloads(target);
