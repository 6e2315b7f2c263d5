import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { Environment } from './check/environment.ts';
import { ProgramCache } from './program-cache.ts';
import { standardLibrary } from './stdlib/standard-library.ts';
import { compile } from './testing/compile.ts';

const environment = new Environment({ libraries: [standardLibrary] });

describe('ProgramCache', () => {
  test('compiles an expression once in each environment', () => {
    const cache = new ProgramCache<object>(100_000);
    const cached = (within: Environment, text: string): object =>
      atOnce(cache.get(within, text, () => compile(within, text)));
    assert.equal(cached(environment, '1 + 1'), cached(environment, '1 + 1'));
    assert.notEqual(cached(environment, '1 + 1'), cached(environment, '1 + 2'));
    assert.notEqual(cached(environment, '1 + 1'), cached(environment.extend({}), '1 + 1'));
  });

  test('evicts programs that were not used lately, and does not keep overlong expressions', () => {
    const cache = new ProgramCache<object>(100_000);
    const cached = (text: string): object => atOnce(cache.get(environment, text, () => compile(environment, text)));
    const first = cached('1 == 1');
    for (let index = 0; index < 100; index++) cached(`${index} == 2`);
    assert.ok(cache.bytes <= 100_000);
    assert.notEqual(cached('1 == 1'), first);
    const before = cache.bytes;
    assert.notEqual(cached(`'${'x'.repeat(1000)}' == ''`), undefined);
    assert.equal(cache.bytes, before);
  });
});
