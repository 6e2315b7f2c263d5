import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { yamlPieces } from './emit.ts';
import { parseYaml } from './parse.ts';

const long = (length: number): string => 'x'.repeat(length);
const blanks = 'word '.repeat(30);
const numbers = '7'.repeat(129);

/** What sigs.k8s.io/yaml v1.6.0 prints of each. */
const recorded: readonly (readonly [value: JsonValue, yaml: string])[] = [
  [{ [long(128)]: 1, [long(129)]: 2 }, `${long(128)}: 1\n? ${long(129)}\n: 2\n`],
  [{ [`${long(127)}ü`]: {}, [`${'世'.repeat(42)}ab`]: [] }, `? ${long(127)}ü\n: {}\n${'世'.repeat(42)}ab: []\n`],
  [{ [long(129)]: { b: 1, a: [1, { c: 2 }] }, z: 1 }, `? ${long(129)}\n: a:\n  - 1\n  - c: 2\n  b: 1\nz: 1\n`],
  [{ [long(129)]: [1, [2, 3], { a: 1, b: {} }] }, `? ${long(129)}\n: - 1\n  - - 2\n    - 3\n  - a: 1\n    b: {}\n`],
  [[{ [long(129)]: { [long(130)]: [] } }], `- ? ${long(129)}\n  : ? ${long(130)}\n    : []\n`],
  [{ a: [{ [long(129)]: 'text', b: 1 }] }, `a:\n- b: 1\n  ? ${long(129)}\n  : text\n`],
  [
    { 'one\ntwo': 1, 'three\n': { a: 1 }, 'four\r': [1] },
    '? "four\\r"\n: - 1\n? |-\n  one\n  two\n: 1\n? |\n  three\n: a: 1\n',
  ],
  [{ [`k:{"name":"${long(120)}"}`]: {} }, `? k:{"name":"${long(120)}"}\n: {}\n`],
  [
    { [`${blanks}end`]: blanks },
    `? ${'word '.repeat(16).trim()}\n  ${'word '.repeat(14)}end\n: '${'word '.repeat(16).trim()}\n  ${'word '.repeat(14)}'\n`,
  ],
  // Lines are folded at a blank behind the 80th column, which counts the colon before the value.
  [{ [long(129)]: `${'a'.repeat(76)} b c` }, `? ${long(129)}\n: ${'a'.repeat(76)} b c\n`],
  [{ [long(129)]: `${'a'.repeat(77)} b c` }, `? ${long(129)}\n: ${'a'.repeat(77)} b\n  c\n`],
  [{ k: { [long(129)]: `${'a'.repeat(74)} b c` } }, `k:\n  ? ${long(129)}\n  : ${'a'.repeat(74)} b c\n`],
  [{ k: { [long(129)]: `${'a'.repeat(75)} b c` } }, `k:\n  ? ${long(129)}\n  : ${'a'.repeat(75)} b\n    c\n`],
  [{ [long(129)]: `${'é'.repeat(77)} \u0001 b c` }, `? ${long(129)}\n: "${'é'.repeat(77)} \\x01\n  b c"\n`],
  [{ [long(129)]: `${'é'.repeat(78)} \u0001 b c` }, `? ${long(129)}\n: "${'é'.repeat(78)}\n  \\x01 b c"\n`],
  [{ [` ${long(128)}`]: null, [numbers]: true }, `? ' ${long(128)}'\n: null\n? "${numbers}"\n: true\n`],
];

/** What sigs.k8s.io/yaml v1.6.0 prints of each number of a JSON document. */
const numberTexts: readonly (readonly [value: number, text: string])[] = [
  [999999.5, '999999.5'],
  [1000000.5, '1.0000005e+06'],
  [20971520.25, '2.097152025e+07'],
  [1000000, '1000000'],
  [2 ** 63, '9223372036854776000'],
  [2 ** 64 - 2048, '18446744073709550000'],
  [2 ** 64, '1.8446744073709552e+19'],
  [-(2 ** 63), '-9.223372036854776e+18'],
  [-(2 ** 63) + 1024, '-9223372036854775000'],
  [1e20, '1e+20'],
  [1e21, '1e+21'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
];

describe('yamlPieces', () => {
  test('prints keys of more than 128 bytes or several lines as explicit keys', () => {
    for (const [value, yaml] of recorded) {
      assert.equal(Buffer.concat([...yamlPieces(value)]).toString(), yaml, JSON.stringify(value));
      assert.deepEqual(parseYaml(Buffer.from(yaml)), { value, strictErrors: [] });
    }
  });

  for (const [value, text] of numberTexts)
    test(`prints the number ${value} as ${text}`, () =>
      assert.equal(Buffer.concat([...yamlPieces({ a: value })]).toString(), `a: ${text}\n`));
});
