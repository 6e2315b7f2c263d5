import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { answerMalformedTarget } from './malformed-targets.ts';

/** The status with which a request is answered here; 0 for one that goes on. */
function answered(method: string, path: string, headers: Record<string, string> = {}): number {
  let status = 0;
  const exchange = {
    method,
    path,
    query: '',
    httpVersion: '2.0',
    headers,
    send: (code: number) => {
      status = code;
    },
  };
  assert.equal(answerMalformedTarget(exchange as unknown as Exchange), status !== 0);
  return status;
}

describe('answerMalformedTarget', () => {
  test('answers 400 to targets without a leading slash, with control characters or with broken escapes', () => {
    for (const path of [
      '',
      'version',
      '*',
      '%2fversion',
      '?a',
      'a:443',
      '/a\0b',
      '/a\tb',
      '/a\x7fb',
      '/a b',
      '/a%00b',
      '/a%0Ab',
      '/a%1fb',
      '/a%7Fb',
      '/a%7fb',
      '/%',
      '/%zz',
      '/%4',
    ])
      assert.equal(answered('GET', path), 400, path);
    for (const path of ['/', '/version', '/a%20b', '/a%2500b', '/a%80b', '/\xc3\xa9', '//a', '/a;b', '/a%2fb'])
      assert.equal(answered('GET', path), 0, path);
  });

  test('answers 400 to schemes other than https', () => {
    for (const scheme of ['http', 'HTTPS', 'foo', ''])
      assert.equal(answered('GET', '/version', { ':scheme': scheme }), 400, scheme);
    assert.equal(answered('GET', '/version', { ':scheme': 'https' }), 0);
  });

  test('answers 400 to unknown methods outside of resource paths', () => {
    for (const method of ['IMPERSONATE', 'impersonate', 'get', 'gEt', 'BIND', 'constructor', '__proto__', 'FOO']) {
      assert.equal(answered(method, '/version'), 400, method);
      assert.equal(answered(method, '/api/v1'), 400, method);
      assert.equal(answered(method, '/api/v1/namespaces'), 0, method);
    }
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE'])
      assert.equal(answered(method, '/version'), 0, method);
  });

  test('answers 200 to OPTIONS *', () => {
    assert.equal(answered('OPTIONS', '*'), 200);
  });
});
