import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { encodeYamlNodes } from './emit-nodes.ts';

// What gnostic-models v0.7.0 makes of the same texts: yaml.Unmarshal into a node, then compiler.Marshal.
const recorded: readonly (readonly [json: string, yaml: string])[] = [
  ['true', 'true\n'],
  ['7', '7\n'],
  ['1.5', '1.5\n'],
  ['-0.25', '-0.25\n'],
  ['1e+21', '1e+21\n'],
  ['""', '""\n'],
  ['"a"', 'a\n'],
  ['"merge,retainKeys"', 'merge,retainKeys\n'],
  ['"true"', '"true"\n'],
  ['"yes"', 'yes\n'],
  ['"on"', 'on\n'],
  ['"n"', 'n\n'],
  ['"7"', '"7"\n'],
  ['"1e3"', '"1e3"\n'],
  ['"0x1F"', '"0x1F"\n'],
  ['"~"', '"~"\n'],
  ['"null"', '"null"\n'],
  ['null', 'null\n'],
  ['"2020-01-01"', '"2020-01-01"\n'],
  ['"a: b"', "'a: b'\n"],
  ['"- a"', "'- a'\n"],
  ['"*"', "'*'\n"],
  ['"[a"', "'[a'\n"],
  ['"it\'s"', "it's\n"],
  ['"a #b"', "'a #b'\n"],
  ['" a"', "' a'\n"],
  ['"a "', "'a '\n"],
  ['"a\\tb"', '"a\\tb"\n'],
  ['"ü"', 'ü\n'],
  ['"😀"', '"\\U0001F600"\n'],
  ['"one\\ntwo"', '|-\n    one\n    two\n'],
  ['"one\\ntwo\\n"', '|\n    one\n    two\n'],
  ['" one\\ntwo"', '|4-\n     one\n    two\n'],
  ['[]', '[]\n'],
  ['{}', '{}\n'],
  ['[[],{}]', '- []\n- {}\n'],
  ['["name","port"]', '- name\n- port\n'],
  [
    '[{"group":"","kind":"Scale","version":"v1"},{"group":"autoscaling","kind":"Scale","version":"v1"}]',
    '- group: ""\n  kind: Scale\n  version: v1\n- group: autoscaling\n  kind: Scale\n  version: v1\n',
  ],
  [
    '[{"discriminator":"type","fields-to-discriminateBy":{"a":"A","b":["x",["y",{"z":1}]]}}]',
    '- discriminator: type\n  fields-to-discriminateBy:\n    a: A\n    b:\n        - x\n        - - y\n          - z: 1\n',
  ],
  [
    '{"a":{"b":{"c":[1,{"d":[2,3]}]}},"e":"one\\ntwo"}',
    'a:\n    b:\n        c:\n            - 1\n            - d:\n                - 2\n                - 3\ne: |-\n    one\n    two\n',
  ],
  ['[[1,2],[{"a":{"b":1}}]]', '- - 1\n  - 2\n- - a:\n        b: 1\n'],
  ['{"10":1,"9":2,"a b":3,"true":4}', '"10": 1\n"9": 2\na b: 3\n"true": 4\n'],
  ['"0777"', '"0777"\n'],
  ['"0o17"', '"0o17"\n'],
  ['"1_000"', '"1_000"\n'],
  ['"12:30:45"', '12:30:45\n'],
  ['".inf"', '".inf"\n'],
  ['"<<"', '<<\n'],
  [
    '"a very long text that goes on and on, well beyond the eighty columns after which the other printer folds its lines"',
    'a very long text that goes on and on, well beyond the eighty columns after which the other printer folds its lines\n',
  ],
  ['{"k":[{"rule":"a\\nb","x":[]}]}', 'k:\n    - rule: |-\n        a\n        b\n      x: []\n'],
];

describe('encodeYamlNodes', () => {
  test('prints values as gnostic does', () => {
    for (const [json, yaml] of recorded) assert.equal(encodeYamlNodes(JSON.parse(json) as JsonValue), yaml, json);
  });
});
