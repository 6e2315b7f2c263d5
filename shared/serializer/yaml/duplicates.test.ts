import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strictErrorLines } from './duplicates.ts';
import { parseYaml } from './parse.ts';

describe('strictErrorLines', () => {
  test('splits the error about duplicate keys into a line for each warning', () => {
    const { strictErrors } = parseYaml(Buffer.from('a: 1\na: 2\nb: {c: 1, c: 2}\n'));
    assert.deepEqual(strictErrors, [
      'yaml: unmarshal errors:\n  line 2: key "a" already set in map\n  line 3: key "c" already set in map',
    ]);
    assert.deepEqual(strictErrors.flatMap(strictErrorLines), [
      'line 2: key "a" already set in map',
      'line 3: key "c" already set in map',
    ]);
    assert.deepEqual(strictErrorLines('unknown field "x"'), ['unknown field "x"']);
  });
});
