import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { explainSyntax } from './explain-syntax.ts';

describe('explainSyntax', () => {
  // As cel-go 0.26 says it.
  test('reports an invalid has() argument behind a syntax error, too', () => {
    const text = String.raw`has(!TestAllTypes{standalone\_enum: TestAllTypes.NestedEnum.BAR}.standalone_enum)`;
    assert.deepEqual(explainSyntax(text, baseEnvironments(36).forStored), [
      { offset: 28, message: String.raw`Syntax error: token recognition error at: '\'` },
      { offset: 29, message: "Syntax error: extraneous input '_enum' expecting ':'" },
      { offset: 4, message: 'invalid argument to has() macro' },
    ]);
  });
});
