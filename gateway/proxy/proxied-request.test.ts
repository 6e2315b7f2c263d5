import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import type { Exchange, OutgoingHeaders } from '#shared/request/exchange.ts';
import type { AnswerHandler, RelayedCall } from '#shared/request/relay/relay.ts';
import type { GivenUp, RequestAudit } from '#shared/request/request-audit.ts';
import { RequestState } from '#shared/server/request-state.ts';
import { TransportError } from './hop/transport.ts';
import { ProxiedRequest } from './proxied-request.ts';
import { cleanups, directory, startRig, user } from './testing/forward-rig.ts';

after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
  rmSync(directory, { recursive: true, force: true });
});

/** A client's request with these headers (names and values in turn) and this body. */
function requestOf(rawHeaders: readonly string[], body?: string, audit?: RequestAudit): ProxiedRequest {
  const headers = Object.fromEntries(
    rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1]]] : [])),
  );
  const exchange = {
    method: 'POST',
    path: '/api/v1/namespaces/a/pods/p/proxy/x',
    query: 'y=z',
    headers,
    rawHeaders,
    remoteAddress: '10.0.0.1',
    hasBody: body !== undefined,
    body: Readable.from([Buffer.from(body ?? '')], { objectMode: false }),
  } as unknown as Exchange;
  const context = new RequestState(exchange);
  context.user = user;
  context.auditId = 'audit-1';
  if (audit !== undefined) context.audit = audit;
  return new ProxiedRequest(context);
}

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  readonly text: string;
  readonly trailers: OutgoingHeaders | undefined;
}

/** Collects the answer, and rejects with the error of the transport. */
function answerTo(send: (handler: AnswerHandler) => RelayedCall): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let head = { status: 0, headers: {} as OutgoingHeaders };
    let text = '';
    send({
      onWhole: () => reject(new Error('the answer is streamed')),
      onHead: (status, headers) => void (head = { status, headers }),
      onData: (chunk) => (text += Buffer.from(chunk).toString()) !== '',
      onEnd: (trailers) => resolve({ ...head, text, trailers }),
      onError: reject,
    });
  });
}

describe('ProxiedRequest', () => {
  async function seenBy(rawHeaders: readonly string[], body?: string): Promise<Record<string, string>> {
    const { backend } = await startRig((exchange) => {
      void exchange
        .readBody(1000)
        .then((bytes) =>
          exchange.send(200, {}, JSON.stringify({ ...exchange.headers, body: String(bytes), query: exchange.query })),
        );
    });
    const request = requestOf(rawHeaders, body);
    const { text } = await answerTo((handler) => request.sendTo(backend, handler));
    return JSON.parse(text) as Record<string, string>;
  }

  test('tells the audit how a request would end that is given up now', async () => {
    const { backend } = await startRig((exchange) => exchange.send(200, {}, 'done'));
    const outcomes: (GivenUp | undefined)[] = [];
    const noteIfGivenUp = (outcome: GivenUp | undefined): void => void outcomes.push(outcome);
    const request = requestOf([], undefined, { noteIfGivenUp } as RequestAudit);
    await answerTo((handler) => request.sendTo(backend, handler));
    assert.deepEqual(
      outcomes.map((outcome) => outcome?.status?.code ?? outcome?.panic),
      [503, 'net/http: abort Handler', undefined],
    );
    assert.equal((JSON.parse(String(outcomes[0]?.object)) as { kind: string }).kind, 'Status');
  });

  test('passes on the body with its length, or in chunks where none was announced', async () => {
    const counted = await seenBy(['Content-Length', '5'], 'hello');
    assert.deepEqual(
      [counted['content-length'], counted['transfer-encoding'], counted['body']],
      ['5', undefined, 'hello'],
    );
    const open = await seenBy([], 'hello');
    assert.deepEqual(
      [open['content-length'], open['transfer-encoding'], open['body']],
      [undefined, 'chunked', 'hello'],
    );
  });

  test('announces a length of 0 for a request without a body', async () => {
    assert.equal((await seenBy([]))['content-length'], '0');
  });

  test('tells core the host that the client asked for, and the identity', async () => {
    const seen = await seenBy(['Host', 'api.example:6443']);
    assert.deepEqual(
      [seen['host'], seen['x-quarterdeck-host'], seen['x-remote-user'], seen['query']],
      ['localhost', 'api.example:6443', 'bob', 'y=z'],
    );
  });

  test("drops the headers that the client's Connection header names, but none of the hop", async () => {
    const seen = await seenBy(['Connection', 'X-Own, X-Remote-User, Host', 'X-Own', 'a', 'X-Other', 'b']);
    assert.equal(seen['x-own'], undefined);
    assert.deepEqual([seen['x-other'], seen['x-remote-user'], seen['host']], ['b', 'bob', 'localhost']);
  });

  test('streams status, headers, body and trailers of the answer', async () => {
    const { backend } = await startRig((exchange) => {
      const stream = exchange.stream(418, { trailer: 'x-sum', 'x-list': ['a', 'b'] });
      stream.write('part');
      stream.end({ 'x-sum': '4' });
    });
    const { status, headers, text, trailers } = await answerTo((handler) => requestOf([]).sendTo(backend, handler));
    assert.deepEqual([status, headers['x-list'], text, trailers], [418, ['a', 'b'], 'part', { 'x-sum': '4' }]);
  });

  test('is not repeated where core may have received it on a new connection', async () => {
    const { backend } = await startRig((exchange) => exchange.dropClient());
    const request = requestOf([]);
    const error = await answerTo((handler) => request.sendTo(backend, handler)).catch((failure: unknown) => failure);
    assert.ok(error instanceof TransportError && error.sent);
    assert.equal(request.repeats(error), 'never');
  });

  test('is repeated where core could not be dialed, unless its body has gone into the attempt', async () => {
    const { backend, listener } = await startRig(() => undefined);
    listener.destroy();
    rmSync(backend.address, { force: true });
    const [empty, full] = [requestOf([]), requestOf([], 'hello')];
    const errors = await Promise.all(
      [empty, full].map((request) =>
        answerTo((handler) => request.sendTo(backend, handler)).catch((failure: unknown) => failure as TransportError),
      ),
    );
    assert.deepEqual(
      errors.map((error) => (error as TransportError).sent),
      [false, false],
    );
    assert.deepEqual([empty.repeats(errors[0] as Error), full.repeats(errors[1] as Error)], ['always', 'never']);
  });
});
