import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import type { Exchange, OutgoingHeaders } from '#shared/request/exchange.ts';
import { invalidUpgradeAnswer, relayRefusal } from './relay-refusal.ts';

function answerOf(statusCode: number, rawHeaders: string[], body = ''): IncomingMessage {
  return Object.assign(Readable.from([Buffer.from(body)], { objectMode: false }), {
    statusCode,
    rawHeaders,
    trailers: {},
  }) as unknown as IncomingMessage;
}

describe('relayRefusal', () => {
  test('passes status, headers and body on, and ends the connection of the client', async () => {
    const ended = Promise.withResolvers<void>();
    let text = '';
    const heads: unknown[] = [];
    const exchange = {
      stream(status: number, headers: OutgoingHeaders) {
        heads.push(status, headers);
        return {
          write: (chunk: Buffer) => (text += String(chunk)) !== '',
          onDrain: () => undefined,
          end: () => ended.resolve(),
        };
      },
    } as unknown as Exchange;
    const raw = ['Content-Type', 'text/plain', 'Connection', 'keep-alive', 'Upgrade', 'SPDY/3.1'];
    relayRefusal(exchange, answerOf(403, raw, 'forbidden'));
    await ended.promise;
    assert.deepEqual(heads, [403, { connection: 'close', 'content-type': 'text/plain' }]);
    assert.equal(text, 'forbidden');
  });
});

describe('invalidUpgradeAnswer', () => {
  test('lets an error status pass', () => {
    assert.equal(invalidUpgradeAnswer(answerOf(400, [])), undefined);
  });

  test('names any lower status, and discards the answer', () => {
    const answer = answerOf(302, []);
    // apimachinery/pkg/util/proxy/upgradeaware.go
    assert.equal(invalidUpgradeAnswer(answer), 'invalid upgrade response: status code 302');
    assert.equal(answer.destroyed, true);
  });
});
