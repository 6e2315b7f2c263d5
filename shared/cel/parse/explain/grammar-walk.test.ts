import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { walkGrammar } from './grammar-walk.ts';

const expression =
  "{'[', '{', '(', '.', '-', '!', '?', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

describe('walkGrammar', () => {
  // As the parser of cel-go 0.26 says it.
  test('skips an optional part where another token stands, and reports the errors behind it', () => {
    assert.deepEqual(walkGrammar('f([b[)])').errors, [
      { line: 1, column: 5, message: `Syntax error: mismatched input ')' expecting ${expression}` },
    ]);
    assert.deepEqual(walkGrammar('f(b[)[1]) == c').errors, [
      { line: 1, column: 4, message: `Syntax error: extraneous input ')' expecting ${expression}` },
      { line: 1, column: 8, message: "Syntax error: missing ']' at ')'" },
    ]);
  });
});
