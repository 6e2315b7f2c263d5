import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseYaml } from './parse.ts';

test('an anchor whose value contains itself is refused in the words of go-yaml', () => {
  for (const text of ['&a [*a, *a]', 'a: &a\n  b: *a\n', '&a {<<: *a}', '&b {x: 1, y: &a [{z: *a}]}']) {
    assert.throws(
      () => parseYaml(Buffer.from(text)),
      { name: 'YamlError', message: "yaml: anchor 'a' value contains itself" },
      text,
    );
  }
});

test('an alias stands for the last anchor of its name, also of a scalar within an open one', () => {
  assert.deepEqual(parseYaml(Buffer.from('&a [&a x, *a]')).value, ['x', 'x']);
  assert.deepEqual(parseYaml(Buffer.from('[&a [1], *a]')).value, [[1], [1]]);
});
