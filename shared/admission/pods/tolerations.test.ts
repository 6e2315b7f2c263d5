import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeTolerations } from './tolerations.ts';

const exists = { key: 't', operator: 'Exists', effect: 'NoSchedule' };
const equal = { key: 't', operator: 'Equal', value: 'v', effect: 'NoSchedule' };

test('a toleration that another covers goes', () => {
  assert.deepEqual(mergeTolerations([equal], [exists]), [exists]);
  assert.deepEqual(mergeTolerations([{ operator: 'Exists' }], [exists, equal]), [{ operator: 'Exists' }]);
  assert.deepEqual(mergeTolerations([exists], [exists]), [exists]);
});

test('tolerations of other keys, effects and longer times stay', () => {
  const other = { ...exists, key: 'u' };
  const short = { key: 't', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 };
  const long = { ...short, tolerationSeconds: 50 };
  assert.deepEqual(mergeTolerations([exists], [other]), [exists, other]);
  assert.deepEqual(mergeTolerations([short], [long]), [long]);
  assert.deepEqual(mergeTolerations([long], [{ key: 't', operator: 'Exists', effect: 'NoExecute' }]), [{ key: 't', operator: 'Exists', effect: 'NoExecute' }]);
});
