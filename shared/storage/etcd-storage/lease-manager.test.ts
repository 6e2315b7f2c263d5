import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LeaseManager } from './lease-manager.ts';

function manager(reuseSeconds?: number): {
  leases: LeaseManager;
  granted: number[];
  advance: (seconds: number) => void;
} {
  const granted: number[] = [];
  let now = 0;
  const leases = new LeaseManager(
    async (ttl) => `lease-${granted.push(ttl)}`,
    reuseSeconds,
    () => now,
  );
  return { leases, granted, advance: (seconds) => void (now += seconds * 1_000) };
}

describe('LeaseManager', () => {
  test('shares a lease among objects of one TTL while it lasts 5 % longer than asked', async () => {
    const { leases, granted, advance } = manager();
    assert.equal(await leases.lease(200), 'lease-1');
    advance(9);
    assert.equal(await leases.lease(200), 'lease-1');
    advance(1);
    assert.equal(await leases.lease(200), 'lease-2');
    assert.deepEqual(granted, [210, 210]);
  });

  test('adds at most a minute to a long lease', async () => {
    const { leases, granted } = manager();
    await leases.lease(10_000);
    assert.deepEqual(granted, [10_060]);
    const other = manager(5);
    await other.leases.lease(10_000);
    assert.deepEqual(other.granted, [10_005]);
  });

  test('keeps to its leases when the wall clock is set', async (t) => {
    const granted: number[] = [];
    t.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 2) });
    const leases = new LeaseManager(async (ttl) => `lease-${granted.push(ttl)}`);
    assert.equal(await leases.lease(3600), 'lease-1');
    t.mock.timers.setTime(Date.UTC(2027, 0, 1));
    assert.equal(await leases.lease(3600), 'lease-1');
    assert.deepEqual(granted, [3660]);
  });

  test('grants a new lease after a thousand objects', async () => {
    const { leases } = manager();
    for (let i = 0; i < 1_000; i++) assert.equal(await leases.lease(3_600), 'lease-1');
    assert.equal(await leases.lease(3_600), 'lease-2');
  });

  test('does not reuse a lease that was forgotten or whose grant failed', async () => {
    const { leases } = manager();
    await leases.lease(60);
    leases.forget(60);
    assert.equal(await leases.lease(60), 'lease-2');
    let refuse = true;
    const failing = new LeaseManager(async () => {
      if (refuse) throw new Error('no');
      return 'lease';
    });
    await assert.rejects(failing.lease(60));
    refuse = false;
    assert.equal(await failing.lease(60), 'lease');
  });

  test('tells with each lease how many objects asked for the one before it', async () => {
    const told: number[] = [];
    let now = 0;
    const leases = new LeaseManager(
      async (_ttl, objects) => `lease-${told.push(objects)}`,
      undefined,
      () => now,
    );
    for (let at = 0; at < 3; at++) await leases.lease(200);
    now += 10_000;
    await leases.lease(200);
    assert.deepEqual(told, [1, 4]);
  });
});
