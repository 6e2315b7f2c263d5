import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import { QueuedAnswers } from './queued-answers.ts';

class Client {
  readonly user: { name: string };
  readonly exchange: { queuedBytes: number; dropClient: () => void };
  dropped = false;

  constructor(name: string, queuedBytes: number) {
    this.user = { name };
    this.exchange = {
      queuedBytes,
      dropClient: () => {
        this.dropped = true;
        this.exchange.queuedBytes = 0;
      },
    };
  }
}

function check(queued: QueuedAnswers, clients: readonly Client[], nowMs: number): void {
  queued.check([clients.filter(({ dropped }) => !dropped) as unknown as RequestContext[]], nowMs);
}

describe('QueuedAnswers', () => {
  test('drops stalled answers of the user with the most of them while the limit is exceeded', () => {
    const queued = new QueuedAnswers(1_000);
    const greedy = Array.from({ length: 20 }, () => new Client('mallory', 100));
    const modest = [new Client('alice', 100), new Client('alice', 100)];
    const clients = [...modest, ...greedy];
    check(queued, clients, 0);
    assert.equal(
      clients.some(({ dropped }) => dropped),
      false,
      'a burst is no reason',
    );
    check(queued, clients, 6_000);
    assert.equal(greedy.filter(({ dropped }) => dropped).length, 12, 'as many as are over the limit');
    assert.equal(
      modest.some(({ dropped }) => dropped),
      false,
    );
  });

  test('keeps answers whose client reads, and all answers below the limit', () => {
    const queued = new QueuedAnswers(1_000);
    const moving = new Client('alice', 900);
    const standing = new Client('alice', 50);
    for (let nowMs = 0; nowMs < 20_000; nowMs += 1_000) check(queued, [moving, standing], nowMs);
    assert.deepEqual([moving.dropped, standing.dropped], [false, false]);
    for (let nowMs = 20_000; nowMs < 40_000; nowMs += 1_000) {
      moving.exchange.queuedBytes = 1_000 + nowMs;
      check(queued, [moving, standing], nowMs);
    }
    assert.deepEqual([moving.dropped, standing.dropped], [false, true]);
  });
});
