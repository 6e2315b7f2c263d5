import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { acceptsGzip, choosesGzip, prefersGzip } from './accept-encoding.ts';

describe('acceptsGzip and prefersGzip', () => {
  // As kube-apiserver v1.36.3 compresses a large list, and /openapi/v2.
  for (const [header, list, document] of [
    [undefined, false, false],
    ['gzip', true, true],
    ['gzip, deflate', true, true],
    ['br,gzip', true, true],
    ['identity', false, false],
    ['*', false, false],
    ['gzip;q=0', false, false],
    ['gzip;q=1.0', false, true],
    ['GZIP', false, true],
  ] as const) {
    test(`agree with the reference for Accept-Encoding ${header ?? 'left out'}`, () =>
      assert.deepEqual([acceptsGzip(header), prefersGzip(header)], [list, document]));
  }
});

describe('choosesGzip', () => {
  test('is true only where gzip is spelled in lower case and has the highest quality', () => {
    const recorded: readonly (readonly [header: string | undefined, gzip: boolean])[] = [
      [undefined, false],
      ['gzip', true],
      ['GZIP', false],
      ['gzip;q=0', false],
      ['identity, gzip', false],
      ['deflate, GZIP;q=1', false],
      ['x-gzip', false],
      ['*', false],
      ['gzip;q=0.5, identity;q=1', false],
      [' gzip ', true],
    ];
    for (const [header, gzip] of recorded) assert.equal(choosesGzip(header), gzip, header ?? 'left out');
  });
});
