import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { Environment } from './check/environment.ts';
import { compileInSteps } from './compile.ts';
import { ProgramCache } from './program-cache.ts';
import { standardLibrary } from './stdlib/standard-library.ts';

const environment = new Environment({ libraries: [standardLibrary] });

describe('ProgramCache', () => {
  test('compiles an expression once in each environment', () => {
    const cache = new ProgramCache<object>(100_000);
    const compile = (within: Environment, text: string): object =>
      atOnce(cache.get(within, text, () => compileInSteps(within, text)));
    assert.equal(compile(environment, '1 + 1'), compile(environment, '1 + 1'));
    assert.notEqual(compile(environment, '1 + 1'), compile(environment, '1 + 2'));
    assert.notEqual(compile(environment, '1 + 1'), compile(environment.extend({}), '1 + 1'));
  });

  test('evicts programs that were not used lately, and does not keep overlong expressions', () => {
    const cache = new ProgramCache<object>(100_000);
    const compile = (text: string): object =>
      atOnce(cache.get(environment, text, () => compileInSteps(environment, text)));
    const first = compile('1 == 1');
    for (let index = 0; index < 100; index++) compile(`${index} == 2`);
    assert.ok(cache.bytes <= 100_000);
    assert.notEqual(compile('1 == 1'), first);
    const before = cache.bytes;
    assert.notEqual(compile(`'${'x'.repeat(1000)}' == ''`), undefined);
    assert.equal(cache.bytes, before);
  });
});
