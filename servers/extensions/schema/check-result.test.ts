import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { maxFieldErrors } from '#shared/apimachinery/errors/error-budget.ts';
import { broken, CheckResult } from './check-result.ts';

describe('CheckResult', () => {
  test('keeps only the first violations, as many as an error shows', () => {
    const [list, object] = [new CheckResult(), new CheckResult()];
    object.add(broken('first', 'a', 'is wrong'));
    for (let index = 0; index < maxFieldErrors + 5; index++) list.add(broken(`list[${index}]`, 'a', 'is wrong'));
    list.matches = 3;
    object.merge(list);
    object.merge(list);
    assert.equal(list.violations.length, maxFieldErrors);
    assert.equal(object.violations.length, maxFieldErrors);
    assert.equal(object.violations.at(-1)?.message, `list[${maxFieldErrors - 2}] in body is wrong`);
    assert.equal(object.matches, 6);
  });
});
