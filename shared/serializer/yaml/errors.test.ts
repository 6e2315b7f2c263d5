import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flowFault } from './flow-errors.ts';
import { parseYaml } from './parse.ts';

describe('parseYaml', () => {
  test("rejects malformed documents in go-yaml's words", () => {
    const errors: Readonly<Record<string, string>> = {
      '{': 'yaml: line 1: did not find expected node content',
      '{a: b': "yaml: line 1: did not find expected ',' or '}'",
      '[a': "yaml: line 1: did not find expected ',' or ']'",
      'a: "x': 'yaml: found unexpected end of stream',
      'a: b: c': 'yaml: mapping values are not allowed in this context',
      'a:\n\t- b': 'yaml: line 2: found character that cannot start any token',
      '\t': 'yaml: found character that cannot start any token',
      '# first\n \ta: b': 'yaml: line 2: found character that cannot start any token',
      '%YAML 9.9\n---\na: 1': 'yaml: found incompatible YAML document',
      'a: "\\xZZ"': 'yaml: did not find expected hexdecimal number',
      'a: *b': "yaml: unknown anchor 'b' referenced",
    };
    for (const [source, message] of Object.entries(errors))
      assert.throws(() => parseYaml(Buffer.from(source)), { message }, source);
  });
});

describe('flowFault', () => {
  test('rejects a colon before a plain word or an opening bracket within brackets, unless quoted', () => {
    for (const text of ['{:a":"b"}', '{"a":1, :b: 2}', '[:a]', '{"a"::"b"}', '{"a": :b}', '{"a"::}'])
      assert.equal(flowFault(text), 'yaml: did not find expected node content', text);
    for (const text of ['{"a":1,b":{"c":1}}', '{a:[1]}', '{"x": {a b:{}}}'])
      assert.equal(flowFault(text), "yaml: did not find expected ',' or '}'", text);
    for (const text of [
      '{":a":":b"}',
      "{'a': ',:b'}",
      '{"a" :1}',
      'a: {:b}',
      '{"a\\",:b":1}',
      '{a: [1]}',
      '{"a":[1],"b":{}}',
      '[http://x, {}] # a:{',
      '{"a": x:y }',
      '{"a": x::y}',
      '{"a":"::"}',
    ])
      assert.equal(flowFault(text), undefined, text);
  });
});
