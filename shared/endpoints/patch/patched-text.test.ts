import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enteredBy, patchedText } from './patched-text.ts';

test('levels that a patch steps through are sorted, others stand as they were', () => {
  const entered = enteredBy([{ op: 'add', path: '/b/x', value: 1 }]);
  assert.equal(patchedText({ b: { z: 1, x: 1 }, a: { d: 1, c: 1 } }, entered), '{"a":{"d":1,"c":1},"b":{"x":1,"z":1}}');
});

test('what moves is gone before its new place is looked for', () => {
  const entered = enteredBy([{ op: 'move', from: '/list/0', path: '/list/0/a' }]);
  assert.equal(patchedText({ list: [{ z: 1, a: { y: 1, b: 1 } }] }, entered), '{"list":[{"a":{"y":1,"b":1},"z":1}]}');
});

test('what is copied is stepped through on the way to its new place', () => {
  const entered = enteredBy([{ op: 'copy', from: '/list/0', path: '/list/0/a' }]);
  assert.equal(patchedText({ list: [{ z: 1, a: { z: 1, a: { y: 1, b: 1 } } }] }, entered), '{"list":[{"a":{"a":{"y":1,"b":1},"z":1},"z":1}]}');
});
