import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseYaml } from './parse.ts';

const valueOf = (text: string): unknown => parseYaml(Buffer.from(text)).value;
const failureOf = (text: string | Buffer): string => {
  try {
    return JSON.stringify(parseYaml(Buffer.from(text)).value);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

describe('parseYaml', () => {
  // Expected values are what kube-apiserver v1.36.3 answered to the same texts as values of a ConfigMap and a custom
  // resource.

  test('reads a float in the digits of a 64-bit integer as one, and others as the float', () => {
    const values = {
      '9007199254740993.0': 9_007_199_254_740_992n,
      '9.2e18': 9_200_000_000_000_000_000n,
      '9223372036854775807': 9_223_372_036_854_775_807n,
      '-9223372036854775809': -(2 ** 63),
      '1e20': 1e20,
    };
    for (const [text, value] of Object.entries(values)) assert.deepEqual(valueOf(`v: ${text}`), { v: value }, text);
  });

  test('converts values by standard tags and ignores unknown tags', () => {
    const values: Readonly<Record<string, unknown>> = {
      '!!str 1': '1',
      '!!int "7"': 7,
      '!!float 1': 1,
      '!!bool yes': true,
      '!!binary aGVsbG8=': 'hello',
      '!!binary gAECAw==': '\ufffd\u0001\u0002\u0003',
      '!!timestamp 2001-01-01': '2001-01-01',
      '!!set {a, b}': { a: null, b: null },
      '!!omap [a: 1]': [{ a: 1 }],
      '!!map a': 'a',
      '!!str [a]': ['a'],
      '!foo 1': '1',
      '!!unknown 1': '1',
      '! 1': '1',
      '!': '',
      '!<tag:yaml.org,2002:int> "7"': 7,
    };
    for (const [text, value] of Object.entries(values)) assert.deepEqual(valueOf(`v: ${text}`), { v: value }, text);
    assert.equal(failureOf('v: !!int "x"'), 'yaml: cannot decode !!str `x` as a !!int');
    assert.equal(failureOf('v: !!int'), 'yaml: cannot decode !!null `` as a !!int');
    assert.equal(failureOf('v: !!binary "***"'), 'yaml: !!binary value contains invalid base64 data');
    assert.equal(failureOf('a:\n  v: !e!x 1'), 'yaml: line 1: found undefined tag handle');
  });

  test('reads numbers beyond float64 as text, and rejects infinity', () => {
    assert.deepEqual(valueOf('[1e400, -1e400, 0o17, 017, 08, 0b11, 1_000, 1:30, +0x1F, -0.0]'), [
      '1e400',
      '-1e400',
      15,
      15,
      8,
      3,
      1000,
      '1:30',
      31,
      0,
    ]);
    assert.equal(failureOf('v: .inf'), 'json: unsupported value: +Inf');
  });

  test('merges << at its place, and reports duplicate keys that come from it', () => {
    assert.deepEqual(valueOf('{a: 1, <<: {a: 2}}'), { a: 2 });
    assert.deepEqual(valueOf('{<<: {a: 2}, a: 1}'), { a: 1 });
    assert.deepEqual(valueOf('[&x {p: 1}, {<<: *x, q: 2}, {<<: [{a: 1}, {a: 2, c: 3}]}, {"<<": 1}]'), [
      { p: 1 },
      { p: 1, q: 2 },
      { a: 1, c: 3 },
      { '<<': 1 },
    ]);
    assert.deepEqual(parseYaml(Buffer.from('{<<: [{a: 1}, {a: 2}], b: 2}')).strictErrors, [
      'yaml: unmarshal errors:\n  line 1: key "a" already set in map',
    ]);
    assert.deepEqual(parseYaml(Buffer.from('{1: a, "1": b}')).strictErrors, []);
    for (const text of ['{<<: 1}', '{<<: ~}', '{<<: [1]}', '[&a 1, {<<: *a}]'])
      assert.equal(failureOf(text), 'yaml: map merge requires map or sequence of maps as the value', text);
  });

  test('rejects map keys that JSON cannot have, naming the key', () => {
    assert.equal(failureOf('{null: a}'), 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "a"');
    assert.equal(failureOf('{[a]: b}'), 'yaml: invalid map key: []interface {}{"a"}');
    assert.equal(failureOf('{{a: b}: c}'), 'yaml: invalid map key: map[interface {}]interface {}{"a":"b"}');
    assert.deepEqual(valueOf('{1: a, true: b, 1.5: c}'), { 1: 'a', true: 'b', 1.5: 'c' });
  });

  test('prints keys that are floats as float32 in their shortest form', () => {
    // As sigs.k8s.io/yaml v1.6.0.
    for (const [key, text] of [
      ['123456.5', '123456.5'],
      ['999999.0', '999999'],
      ['1000000.0', '1e+06'],
      ['16777217.5', '1.6777218e+07'],
      ['1e+20', '1e+20'],
      ['0.0001', '0.0001'],
      ['0.00001', '1e-05'],
    ] as const)
      assert.deepEqual(valueOf(`${key}: a`), { [text]: 'a' }, key);
    assert.equal(failureOf('[1234567.5]: a'), 'yaml: invalid map key: []interface {}{1.2345675e+06}');
    assert.equal(failureOf('[0.00001]: a'), 'yaml: invalid map key: []interface {}{1e-05}');
  });

  test('stops at the end of the first document, as go-yaml does', () => {
    for (const end of ['---\n{', '...\n{', '... x\n', '%YAML 1.1\n'])
      assert.deepEqual(valueOf(`a: 1\n${end}`), { a: 1 }, end);
    assert.deepEqual(valueOf(' a: 1\nb: 2\n'), { a: 1 });
    assert.equal(failureOf('...\na: 1'), 'yaml: did not find expected node content');
  });

  test('accepts the directives of YAML 1.1 only', () => {
    for (const version of ['1.2', '1.0', '2.0', '1.3'])
      assert.equal(failureOf(`%YAML ${version}\n---\na: 1`), 'yaml: found incompatible YAML document', version);
    assert.deepEqual(valueOf('%YAML 1.1\n%TAG !e! tag:yaml.org,2002:\n---\na: !e!int "1"'), { a: 1 });
    assert.equal(failureOf('%FOO\n---\n'), 'yaml: found unknown directive name');
    assert.equal(failureOf('%YAML 1.1\n%YAML 1.1\n---\n'), 'yaml: line 1: found duplicate %YAML directive');
    assert.equal(failureOf('%YAML 1.1\na: 1'), 'yaml: line 1: did not find expected <document start>');
  });

  test('accepts the encodings and characters that go-yaml accepts, and rejects others', () => {
    assert.deepEqual(parseYaml(Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a: é', 'utf16le')])).value, {
      a: 'é',
    });
    assert.equal(failureOf(Buffer.from([0x61, 0xff])), 'yaml: invalid leading UTF-8 octet');
    assert.equal(failureOf('a: "\\/"'), 'yaml: found unknown escape character');
    assert.equal(failureOf('a:\n  b: "\\ud83d\\ude00"'), 'yaml: line 2: found invalid Unicode character escape code');
    assert.equal(failureOf('a: b\n\t'), 'yaml: line 2: found a tab character that violates indentation');
  });

  test('rejects exponentially expanding aliases quickly', () => {
    const laughs = Array.from(
      { length: 30 },
      (_, index) =>
        `- &a${index} [${Array.from({ length: 9 }, () => (index === 0 ? 'x' : `*a${index - 1}`)).join(', ')}]`,
    ).join('\n');
    assert.equal(failureOf(laughs), 'yaml: document contains excessive aliasing');
  });
});
