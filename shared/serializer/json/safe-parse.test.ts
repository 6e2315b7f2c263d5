import assert from 'node:assert/strict';
import { test } from 'node:test';
import { safeParse } from './safe-parse.ts';
import { findSyntaxError } from './syntax-error.ts';

test('what is nested deep and breaks off is refused before JSON.parse sees it, whatever stands in its strings', () => {
  for (const part of ['[1,', '{"a":', '["]",', '["\\"]]",', '[1,"\\\\","]}]}",']) {
    const text = `${part.repeat(9000)}1.5`;
    const own = findSyntaxError(Buffer.from(text, 'utf8'));
    assert.notEqual(own, undefined);
    assert.throws(() => safeParse(text), { name: 'SyntaxError', message: own });
  }
});

test('what is whole is parsed, deep or not, with brackets in strings or not', () => {
  const deep = `${'['.repeat(300)}"]"${']'.repeat(300)}`;
  assert.equal(JSON.stringify(safeParse(deep)), deep);
  const flat = JSON.stringify(Array.from({ length: 300 }, (_, index) => `[{"\\${index}`));
  assert.equal(JSON.stringify(safeParse(flat)), flat);
});
