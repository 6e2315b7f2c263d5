import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { safeParse } from './safe-parse.ts';
import { findSyntaxError } from './syntax-error.ts';

describe('safeParse', () => {
  test('rejects a deeply nested, truncated text before JSON.parse sees it', () => {
    for (const part of ['[1,', '{"a":', '["]",', '["\\"]]",', '[1,"\\\\","]}]}",']) {
      const text = `${part.repeat(9000)}1.5`;
      const own = findSyntaxError(Buffer.from(text, 'utf8'));
      assert.notEqual(own, undefined);
      assert.throws(() => safeParse(text), { name: 'SyntaxError', message: own });
    }
  });

  test('parses complete texts, deep or flat, with brackets in strings', () => {
    const deep = `${'['.repeat(300)}"]"${']'.repeat(300)}`;
    assert.equal(JSON.stringify(safeParse(deep)), deep);
    const flat = JSON.stringify(Array.from({ length: 300 }, (_, index) => `[{"\\${index}`));
    assert.equal(JSON.stringify(safeParse(flat)), flat);
  });
});
