import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseYaml } from './parse.ts';

describe('YAML anchors', () => {
  test("are rejected in go-yaml's words when their value contains themselves", () => {
    for (const text of ['&a [*a, *a]', 'a: &a\n  b: *a\n', '&a {<<: *a}', '&b {x: 1, y: &a [{z: *a}]}']) {
      assert.throws(
        () => parseYaml(Buffer.from(text)),
        { name: 'YamlError', message: "yaml: anchor 'a' value contains itself" },
        text,
      );
    }
  });
});

describe('YAML aliases', () => {
  test('resolve to the last anchor of their name, also within an open one', () => {
    assert.deepEqual(parseYaml(Buffer.from('&a [&a x, *a]')).value, ['x', 'x']);
    assert.deepEqual(parseYaml(Buffer.from('[&a [1], *a]')).value, [[1], [1]]);
  });
});
