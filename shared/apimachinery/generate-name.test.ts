import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateName } from './generate-name.ts';

describe('generateName', () => {
  test('appends five characters of the safe alphabet', () =>
    assert.match(generateName('pod-'), /^pod-[bcdfghjklmnpqrstvwxz2456789]{5}$/));

  test('truncates the prefix so that the name keeps within 63 characters', () => {
    assert.match(generateName('x'.repeat(58)), /^x{58}.{5}$/);
    assert.match(generateName('x'.repeat(59)), /^x{58}.{5}$/);
  });
});
