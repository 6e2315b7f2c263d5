import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { AnswerHandler } from '#shared/request/relay/relay.ts';
import type { BackendPool } from './backend-pool.ts';
import type { Backend } from './backend.ts';
import { TransportError } from './hop/transport.ts';
import { PoolRoute, type BackendRequest } from './pool-route.ts';

const unsent = new TransportError('refused', false);
const sent = new TransportError('reset', true);
const handler = {} as AnswerHandler;

class TestBackend {
  outstanding = 0;
  failures = 0;

  noteFailure(): void {
    this.failures++;
  }

  noteAnswer(): void {
    this.failures = 0;
  }

  release(): void {
    this.outstanding--;
  }
}

interface Rig {
  readonly route: PoolRoute;
  readonly backends: readonly TestBackend[];
  /** The numbers of the backends to which the request was sent. */
  readonly tried: number[];
  readonly drops: () => number;
}

/** Sends a request that may be repeated as `repeats` says to a pool of `count` backends. */
function rig(count: number, repeats: BackendRequest['repeats']): Rig {
  const backends = Array.from({ length: count }, () => new TestBackend());
  const tried: number[] = [];
  let drops = 0;
  const pool = {
    name: 'core',
    pick: (excluded?: ReadonlySet<unknown>) => backends.find((backend) => excluded?.has(backend) !== true),
  } as unknown as BackendPool;
  const request: BackendRequest = {
    sendTo(backend: Backend) {
      tried.push(backends.indexOf(backend as unknown as TestBackend));
      return { resume: () => undefined, abort: () => undefined };
    },
    repeats,
    body: { drop: () => void drops++ },
  };
  return { route: new PoolRoute(pool, request), backends, tried, drops: () => drops };
}

describe('PoolRoute', () => {
  test('sends a request that no backend received to each of them, and to the last one twice', () => {
    const { route, backends, tried } = rig(3, () => 'always');
    route.send(handler);
    while (route.resend(unsent, handler) !== undefined);
    assert.deepEqual(tried, [0, 1, 2, 2]);
    assert.deepEqual(
      backends.map(({ failures }) => failures),
      [1, 1, 2],
    );
  });

  test('sends a request to the only backend twice, since its kept connection may have been stale', () => {
    const { route, tried } = rig(1, () => 'always');
    route.send(handler);
    while (route.resend(unsent, handler) !== undefined);
    assert.deepEqual(tried, [0, 0]);
  });

  test('repeats a read that a backend may have received once, and does not doubt the backend', () => {
    const { route, backends, tried } = rig(3, () => 'once');
    route.send(handler);
    while (route.resend(sent, handler) !== undefined);
    assert.deepEqual(tried, [0, 1]);
    assert.equal(backends[0]?.failures, 0);
  });

  test('does not repeat a write that a backend may have received', () => {
    const { route, tried } = rig(3, () => 'never');
    route.send(handler);
    assert.equal(route.resend(sent, handler), undefined);
    assert.deepEqual(tried, [0]);
  });

  test('counts a request at the backend to which it was sent last, until it is over', () => {
    const { route, backends, drops } = rig(2, () => 'always');
    const outstanding = (): number[] => backends.map((backend) => backend.outstanding);
    route.send(handler);
    assert.deepEqual(outstanding(), [1, 0]);
    route.resend(unsent, handler);
    assert.deepEqual(outstanding(), [0, 1]);
    route.onOver();
    assert.deepEqual(outstanding(), [0, 0]);
    assert.equal(drops(), 1);
  });

  test('throws 503 with Retry-After when there is no backend', () => {
    assert.throws(
      () => rig(0, () => 'always').route.send(handler),
      ({ status }: StatusError) => status.code === 503 && status.details?.retryAfterSeconds === 1,
    );
  });

  test('refuses with Retry-After only what cannot have changed anything', () => {
    const retryAfter = (repeats: BackendRequest['repeats'], error: Error): number | undefined => {
      const { status } = rig(1, repeats).route.refuse(error);
      assert.equal(status.code, 503);
      return status.details?.retryAfterSeconds;
    };
    assert.equal(
      retryAfter(() => 'never', unsent),
      1,
    );
    assert.equal(
      retryAfter(() => 'once', sent),
      1,
    );
    assert.equal(
      retryAfter(() => 'never', sent),
      undefined,
    );
  });
});
