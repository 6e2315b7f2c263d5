import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { answerHeaders, isConnectionHeader, namedByConnection, parsedAnswerHeaders } from './connection-headers.ts';

// RFC 9110 section 7.6.1, and hopHeaders of net/http/httputil (reverseproxy.go) without Trailer.
const dropped = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
];

describe('connection headers', () => {
  test('are those of one connection, and no other', () => {
    for (const name of dropped) assert.equal(isConnectionHeader(name), true, name);
    for (const name of ['trailer', 'content-type', 'content-length', 'cache-control', 'te-x', 'host', 'user-agent', ''])
      assert.equal(isConnectionHeader(name), false, name);
  });

  test('are dropped from an answer, whose other headers keep their order and repeated ones become a list', () => {
    const raw = ['X-A', '1', 'Connection', 'close', 'Set-Cookie', 'a', 'x-a', '2', 'Keep-Alive', '5', 'X-A', '3'];
    assert.deepEqual(answerHeaders(raw), { 'x-a': ['1', '2', '3'], 'set-cookie': 'a' });
    assert.deepEqual(Object.keys(answerHeaders(raw)), ['x-a', 'set-cookie']);
  });

  test('are dropped from parsed headers', () => {
    const parsed = { 'x-a': '1', te: 'trailers', 'set-cookie': ['a', 'b'], location: undefined };
    assert.deepEqual(parsedAnswerHeaders(parsed as never), { 'x-a': '1', 'set-cookie': ['a', 'b'] });
  });

  test('include those that Connection names, in any case and over several headers', () => {
    assert.deepEqual([...namedByConnection(['Upgrade, X-Own', 'keep-alive'])], ['upgrade', 'x-own', 'keep-alive']);
    assert.equal(namedByConnection([]).size, 0);
  });

  test('named like properties of objects are passed on as headers', () => {
    assert.deepEqual(Object.entries(answerHeaders(['__proto__', 'a', 'constructor', 'b'])), [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ]);
  });
});
