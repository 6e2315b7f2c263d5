import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReadWriteMetrics } from '#shared/flowcontrol/metrics/read-write-metrics.ts';
import { monotonicClock } from '#shared/flowcontrol/monotonic-clock.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { RequestSeats } from './request-seats.ts';
import { withMaxInFlight } from './with-max-in-flight.ts';

/** A request whose body comes, and whose answer begins, when the test says so. */
class Request {
  readonly sent: { readonly status: number; readonly headers: Readonly<Record<string, string>> }[] = [];
  readonly context: RequestContext;
  #bodyIsThere: () => void = () => undefined;
  #answerBegins: () => void = () => undefined;

  constructor({ user = 'alice', groups = [] as string[], verb = 'get', sending = false, longRunning = false } = {}) {
    const exchange = {
      awaitsBody: (whenThere: () => void): boolean => {
        this.#bodyIsThere = whenThere;
        return sending;
      },
      onAnswer: (callback: () => void) => (this.#answerBegins = callback),
      send: (status: number, headers: Record<string, string>) => void this.sent.push({ status, headers }),
    };
    this.context = { exchange, user: { name: user, groups }, info: { verb }, longRunning } as unknown as RequestContext;
  }

  bodyComes(): void {
    this.#bodyIsThere();
  }

  answer(): void {
    this.#answerBegins();
  }
}

describe('Places', () => {
  test('holds a seat from the arrival of the body to the start of the answer', () => {
    const seats = new RequestSeats(1);
    const [first, second] = [new Request(), new Request()];
    assert.equal(seats.take(first.context), true);
    assert.equal(seats.take(second.context), false);
    first.answer();
    assert.equal(seats.taken, 0);
    assert.equal(seats.take(second.context), true);
  });

  test('takes no seat for a body that is still being sent, and limits such requests for each user', () => {
    const seats = new RequestSeats(1);
    const slow = new Request({ sending: true });
    assert.equal(seats.take(slow.context), true);
    assert.equal(seats.taken, 0);
    assert.equal(seats.take(new Request({ sending: true }).context), false, 'another one of the same user');
    assert.equal(seats.take(new Request({ sending: true, user: 'bob' }).context), true);
    const quick = new Request();
    assert.equal(seats.take(quick.context), true);
    slow.bodyComes();
    assert.equal(seats.taken, 2, 'what was let in is served');
    slow.answer();
    quick.answer();
    assert.equal(seats.taken, 0);
  });

  test('releases the share of a request that is answered before its body arrived, once', () => {
    const seats = new RequestSeats(1);
    const slow = new Request({ sending: true });
    seats.take(slow.context);
    slow.answer();
    slow.bodyComes();
    assert.equal(seats.taken, 0);
    assert.equal(seats.take(new Request({ sending: true }).context), true);
  });

  test('passes all requests when the limit is 0', () => {
    const seats = new RequestSeats(0);
    for (let i = 0; i < 10; i++) assert.equal(seats.take(new Request().context), true);
    assert.equal(withMaxInFlight(0, 0, new ReadWriteMetrics(monotonicClock)), undefined);
  });
});

describe('withMaxInFlight', () => {
  test('limits reads and writes apart, with 429 beyond, but not system:masters or watches', () => {
    const served: string[] = [];
    const metrics = new ReadWriteMetrics(monotonicClock);
    const handle = withMaxInFlight(1, 1, metrics)?.(({ info }) => void served.push(info.verb));
    const ask = (request: Request): number | undefined => {
      void handle?.(request.context);
      return request.sent[0]?.status;
    };
    assert.equal(ask(new Request({ verb: 'list' })), undefined);
    assert.equal(ask(new Request({ verb: 'create' })), undefined);
    const refused = new Request({ verb: 'get' });
    assert.equal(ask(refused), 429);
    assert.equal(refused.sent[0]?.headers['retry-after'], '1');
    assert.equal(ask(new Request({ verb: 'update' })), 429);
    assert.equal(ask(new Request({ verb: 'get', groups: ['system:masters'] })), undefined);
    assert.equal(ask(new Request({ verb: 'watch', longRunning: true })), undefined);
    assert.deepEqual(served, ['list', 'create', 'get', 'watch']);
  });
});
