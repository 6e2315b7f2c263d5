import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Reconciler } from './reconciler.ts';

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('Reconciler', () => {
  test('merges requests before a round begins into one, and never overlaps rounds', async () => {
    const gates: PromiseWithResolvers<undefined>[] = [];
    const reconciler = new Reconciler({
      round: () => {
        const gate = Promise.withResolvers<undefined>();
        gates.push(gate);
        return gate.promise;
      },
      onError: (error) => assert.fail(String(error)),
    });
    reconciler.request();
    reconciler.request();
    await settle();
    assert.equal(gates.length, 1);
    reconciler.request();
    reconciler.request();
    await settle();
    assert.equal(gates.length, 1);
    gates[0]?.resolve(undefined);
    await settle();
    assert.equal(gates.length, 2);
    gates[1]?.resolve(undefined);
    await reconciler.close();
    reconciler.request();
    await settle();
    assert.equal(gates.length, 2);
  });

  test('has no second round for what was requested before a round that begins earlier', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let rounds = 0;
    const reconciler = new Reconciler({
      round: async () => void rounds++,
      onError: (error) => assert.fail(String(error)),
      settleMs: 20,
    });
    reconciler.request();
    await reconciler.run();
    context.mock.timers.tick(20);
    await settle();
    assert.equal(rounds, 1);
    reconciler.request();
    context.mock.timers.tick(20);
    await settle();
    assert.equal(rounds, 2);
    await reconciler.close();
  });

  test('repeats rounds after everyMs or the delay that a round returns, also after a failure', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const errors: string[] = [];
    const answers: (number | undefined | Error)[] = [undefined, new Error('no'), 50, undefined];
    let rounds = 0;
    const reconciler = new Reconciler({
      round: async () => {
        const answer = answers[rounds++];
        if (answer instanceof Error) throw answer;
        return answer;
      },
      onError: (error) => errors.push(String(error)),
      everyMs: 1_000,
    });
    await reconciler.run();
    context.mock.timers.tick(5_000);
    await settle();
    assert.equal(rounds, 1);
    reconciler.begin();
    for (const [ms, expected] of [
      [1_000, 2],
      [1_000, 3],
      [50, 4],
      [999, 4],
      [1, 5],
    ] as const) {
      context.mock.timers.tick(ms);
      await settle();
      assert.equal(rounds, expected);
    }
    assert.deepEqual(errors, ['Error: no']);
    await reconciler.close();
    context.mock.timers.tick(10_000);
    await settle();
    assert.equal(rounds, 5);
  });

  test('merges requests within settleMs into one round', async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    let rounds = 0;
    const reconciler = new Reconciler({
      round: async () => void rounds++,
      onError: (error) => assert.fail(String(error)),
      settleMs: 20,
    });
    for (let request = 0; request < 5; request++) {
      reconciler.request();
      context.mock.timers.tick(3);
    }
    await settle();
    assert.equal(rounds, 0);
    context.mock.timers.tick(20);
    await settle();
    assert.equal(rounds, 1);
    await reconciler.close();
  });
});
