import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { goQuery, goQueryOf } from './go-query.ts';

describe('Go query encoding', () => {
  test('escapes a query as Go does', () => {
    assert.equal(goQuery(new URLSearchParams([['a', "it's(a)*b!~ c"]])), 'a=it%27s%28a%29%2Ab%21~+c');
  });

  test('keeps the raw bytes of a value and skips malformed pairs', () => {
    assert.equal(
      goQueryOf('command=%FF&stdin=1&command=a+b&c%6Fmmand=%c3%a4&command&command=x;y&command=%zz', 'command'),
      'command=%FF&command=a+b&command=%C3%A4&command=',
    );
  });
});
