import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { rememberedLines } from './remembered-lines.ts';

const userOf = (name: string): UserInfo => ({ name, uid: '', groups: [], extra: {} });

function request(user: UserInfo, rawHeaders: readonly string[], remoteAddress = '192.0.2.1'): RequestContext {
  return { user, exchange: { rawHeaders, remoteAddress } } as unknown as RequestContext;
}

/** Makes lines that tell how many were made, for each request. */
function linesOf(...contexts: readonly RequestContext[]): string[] {
  let made = 0;
  return contexts.map((context) => rememberedLines(context, () => String((made += 1))));
}

describe('remembered header lines', () => {
  const json = ['accept', 'application/json'];

  test('are those of an earlier request that differs in its path and the length of its body alone', () => {
    const jane = userOf('jane');
    const first = [':method', 'PUT', ':path', '/a', ...json, 'content-length', '12'];
    const second = [':method', 'PUT', ':path', '/b', 'content-length', '7', ...json];
    assert.deepEqual(linesOf(request(jane, first), request(jane, second)), ['1', '1']);
  });

  test('are made anew for another value, one header more or less, another order, address or user', () => {
    const asked = [...json, 'user-agent', 'kubectl'];
    const others = [
      (user: UserInfo) => request(user, ['accept', 'application/yaml', 'user-agent', 'kubectl']),
      (user: UserInfo) => request(user, [...asked, 'x-more', '']),
      (user: UserInfo) => request(user, json),
      (user: UserInfo) => request(user, ['user-agent', 'kubectl', ...json]),
      (user: UserInfo) => request(user, asked, '192.0.2.2'),
      () => request(userOf('jane'), asked),
    ];
    for (const other of others) {
      const jane = userOf('jane');
      assert.deepEqual(linesOf(request(jane, asked), other(jane)), ['1', '2']);
    }
  });

  test('are kept for the last four sets of headers', () => {
    const jane = userOf('jane');
    const sets = ['a', 'b', 'c', 'd', 'e'].map((value) => request(jane, ['accept', value]));
    assert.deepEqual(linesOf(...sets, ...sets.slice(1), ...sets.slice(0, 1)).join(), '1,2,3,4,5,2,3,4,5,6');
  });

  test('are not kept for impersonated users, long values and many headers', () => {
    const jane = userOf('jane');
    const impersonated = { ...request(jane, json), impersonator: userOf('root') };
    const long = request(jane, ['x-long', 'v'.repeat(5000)]);
    const many = request(
      jane,
      Array.from({ length: 80 }, (_, at) => `x-${at}`),
    );
    for (const one of [impersonated, long, many]) assert.deepEqual(linesOf(one, one), ['1', '2']);
  });
});
