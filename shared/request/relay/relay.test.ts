import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange, OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { relay, type AnswerHandler, type RelayedCall, type RelayRoute } from './relay.ts';

/** A client's end: what is answered is noted in {@link log}. */
class TestClient {
  readonly log: string[] = [];
  responded = false;
  /** Whether the client takes more of the answer. */
  takes = true;
  drain: () => void = () => undefined;
  close: () => void = () => undefined;

  get exchange(): Exchange {
    return this as unknown as Exchange;
  }

  onClose(listener: () => void): void {
    this.close = listener;
  }

  send(status: number, _headers: OutgoingHeaders, body?: Uint8Array): void {
    this.responded = true;
    this.log.push(`send ${status} ${Buffer.from(body ?? []).toString()}`);
  }

  stream(status: number): ResponseStream {
    this.responded = true;
    this.log.push(`head ${status}`);
    return {
      write: (chunk) => {
        this.log.push(`data ${Buffer.from(chunk as Uint8Array).toString()}`);
        return this.takes;
      },
      bufferedBytes: 0,
      onDrain: (listener) => (this.drain = listener),
      end: (trailers) => void this.log.push(`end ${JSON.stringify(trailers ?? {})}`),
      abort: () => void this.log.push('abort'),
    };
  }
}

/** A server's end; `attempts` are the handlers of what was sent to it. */
class TestRoute implements RelayRoute {
  readonly log: string[] = [];
  readonly attempts: AnswerHandler[] = [];
  #resends: number;

  constructor(resends = 0) {
    this.#resends = resends;
  }

  get last(): AnswerHandler {
    return this.attempts.at(-1) as AnswerHandler;
  }

  send(handler: AnswerHandler): RelayedCall {
    this.attempts.push(handler);
    return { resume: () => void this.log.push('resume'), abort: () => void this.log.push('abort') };
  }

  onAnswer(): void {
    this.log.push('answer');
  }

  resend(_error: Error, handler: AnswerHandler): RelayedCall | undefined {
    return this.#resends-- > 0 ? this.send(handler) : undefined;
  }

  refuse(error: Error): Error {
    return new Error(`refused: ${error.message}`);
  }

  onOver(): void {
    this.log.push('over');
  }
}

function start(route = new TestRoute()): { client: TestClient; route: TestRoute; answered: Promise<void> } {
  const client = new TestClient();
  return { client, route, answered: relay(client.exchange, route) };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

describe('relay', () => {
  test('sends a whole answer at once', async () => {
    const { client, route, answered } = start();
    route.last.onWhole(201, {}, bytes('made'));
    await answered;
    assert.deepEqual(client.log, ['send 201 made']);
    assert.deepEqual(route.log, ['answer', 'over']);
  });

  test('streams head, body and trailers, and resolves with the head', async () => {
    const { client, route, answered } = start();
    route.last.onHead(200, {});
    await answered;
    route.last.onData(bytes('a'));
    route.last.onEnd({ 'x-sum': '4' });
    assert.deepEqual(client.log, ['head 200', 'data a', 'end {"x-sum":"4"}']);
    assert.deepEqual(route.log, ['answer', 'over']);
  });

  test('tells the server to wait while the client is full, and to resume when it drains', () => {
    const { client, route } = start();
    route.last.onHead(200, {});
    assert.equal(route.last.onData(bytes('a')), true);
    client.takes = false;
    assert.equal(route.last.onData(bytes('b')), false);
    client.drain();
    assert.deepEqual(route.log, ['answer', 'resume']);
  });

  test('aborts the request at the server when the client leaves, before or after the head', async () => {
    for (const hasHead of [false, true]) {
      const { client, route, answered } = start();
      if (hasHead) route.last.onHead(200, {});
      client.close();
      await answered;
      assert.deepEqual(route.log.slice(-2), ['abort', 'over']);
    }
  });

  test('ignores what the server says after the client has left', async () => {
    const { client, route, answered } = start();
    client.close();
    await answered;
    route.last.onHead(200, {});
    route.last.onWhole(200, {}, undefined);
    route.last.onError(new Error('late'));
    assert.deepEqual(client.log, []);
    assert.deepEqual(route.log, ['abort', 'over']);
  });

  test('does nothing at the server when the client closes after the answer', async () => {
    const { client, route, answered } = start();
    route.last.onWhole(200, {}, undefined);
    await answered;
    client.close();
    assert.deepEqual(route.log, ['answer', 'over']);
  });

  test('breaks the answer off when the server does', async () => {
    const { client, route, answered } = start(new TestRoute(1));
    route.last.onHead(200, {});
    await answered;
    route.last.onError(new Error('reset'));
    assert.deepEqual(client.log, ['head 200', 'abort']);
    assert.equal(route.attempts.length, 1);
  });

  test('sends the request again where the route allows it, and answers from that attempt', async () => {
    const { client, route, answered } = start(new TestRoute(1));
    route.last.onError(new Error('reset'));
    assert.equal(route.attempts.length, 2);
    route.last.onWhole(200, {}, bytes('second'));
    await answered;
    assert.deepEqual(client.log, ['send 200 second']);
  });

  test("rejects with the route's refusal after the last attempt", async () => {
    const { client, route, answered } = start(new TestRoute(1));
    route.last.onError(new Error('first'));
    route.last.onError(new Error('second'));
    await assert.rejects(answered, /^Error: refused: second$/);
    assert.deepEqual(client.log, []);
    assert.deepEqual(route.log, ['over']);
  });

  test('rejects when there is no server to send the request to', async () => {
    const route = new TestRoute();
    route.send = () => {
      throw new Error('no backend');
    };
    await assert.rejects(relay(new TestClient().exchange, route), /no backend/);
  });

  test('drops the answer to a request that its deadline has answered', async () => {
    const { client, route, answered } = start(new TestRoute(1));
    client.responded = true;
    route.last.onHead(200, {});
    await answered;
    assert.deepEqual(client.log, []);
    assert.deepEqual(route.log, ['abort', 'over']);
  });

  test('neither repeats nor rejects a request that its deadline has answered', async () => {
    const { client, route, answered } = start(new TestRoute(1));
    client.responded = true;
    route.last.onError(new Error('reset'));
    await answered;
    assert.equal(route.attempts.length, 1);
  });
});
