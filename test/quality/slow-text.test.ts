import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slowText } from './slow-text.ts';

test('expressions that take longer than in proportion to their text are found', () => {
  for (const literal of ['/[ \\t]+$/', '/^(a+)+$/', '/"(?:[^"\\\\]|\\\\[^])*"/g', '/^(.+?)\\s*(==|<)\\s*(.+)$/s']) {
    assert.notEqual(slowText(literal), undefined, literal);
  }
});

test('others are not', () => {
  for (const literal of [
    '/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/',
    '/\\d+/g',
    '/^(?:[^\\\\]|\\\\.)*$/y',
    '/[\\ud800-\\udfff]/',
  ]) {
    assert.equal(slowText(literal), undefined, literal);
  }
});
