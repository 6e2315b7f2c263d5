import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { loadFacts } from '#shared/api/load-facts.ts';
import { exactTextOf } from '#shared/apimachinery/json/exact-texts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { decodeStored, encodeStored } from '#shared/serializer/stored.ts';
import { encodeJson } from './encode.ts';
import { holdsExactRaw, keepExactRaw, keepUntouchedRaw, takeExactRaw } from './exact-raw.ts';

const facts = loadFacts();
const schema = facts.schema('resource.k8s.io', 'v1', 'ResourceClaim');
assert.ok(schema);

const claimText = (...parameters: readonly string[]): string =>
  `{ "spec" : {"unknown":[{"]":"\\"}"}, 1 ,true], "devices":{"config":[${parameters.map((text) => `{"opaque": {"driver":"d", "parameters" :${text}\n}}`).join(' , ')}]}},"metadata":{"name":"a"}}`;
const parametersOf = (claim: JsonObject): readonly (JsonObject | undefined)[] =>
  objectsAt(claim, 'spec', 'devices', 'config').map((config) => objectAt(config, 'opaque', 'parameters'));
const readClaim = (text: string): JsonObject => {
  const claim = JSON.parse(text) as JsonObject;
  atOnce(keepExactRaw(schema, claim, text));
  return claim;
};

/** Parts of JSON between which blanks may stand. */
const spelled: fc.Arbitrary<string> = fc.letrec<{ value: string; blank: string }>((tie) => ({
  blank: fc.constantFrom('', ' ', '\n', '\t '),
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('1', '1.0', '-0.5e3', '"a"', '"<"', '"\\"}"', '"\\u0041"', 'true', 'null', '[]', '{}'),
    fc
      .array(fc.tuple(tie('blank'), tie('value')).map((parts) => parts.join('')))
      .map((items) => `[${items.join(',')} ]`),
    fc
      .array(
        fc
          .tuple(tie('blank'), fc.constantFrom('"a"', '"{"', '"\\\\"'), tie('blank'), tie('value'))
          .map(([before, key, after, value]) => `${before}${key}${after}:${value}`),
      )
      .map((members) => `{${members.join(',')}}`),
  ),
})).value;

describe('keepExactRaw', () => {
  test('keeps the text of each raw value, whatever blanks and brackets stand around it', () => {
    fc.assert(
      fc.property(
        fc.array(
          spelled.filter((text) => text.startsWith('{')),
          { minLength: 1, maxLength: 4 },
        ),
        (texts) => {
          const claim = readClaim(claimText(...texts));
          for (const [at, parameters] of parametersOf(claim).entries()) {
            const exact = exactTextOf(parameters);
            assert.equal(
              exact ??
                encodeJson(schema, {
                  spec: { devices: { config: [{ opaque: { parameters } }] } },
                } as JsonObject).includes(texts[at] as string),
              exact === undefined ? true : texts[at],
            );
          }
        },
      ),
    );
  });

  test('keeps the exact bytes in storage, and prints them without blanks', () => {
    const claim = readClaim(claimText('{"a": 1.0}', '{"b":2}'));
    assert.ok(holdsExactRaw(schema, claim));
    const stored = atOnce(
      encodeStored(schema, { group: 'resource.k8s.io', version: 'v1', kind: 'ResourceClaim' }, claim),
    );
    assert.ok(stored.includes('{"a": 1.0}'));
    const read = atOnce(decodeStored(facts, stored)).object;
    assert.deepEqual(parametersOf(read).map(exactTextOf), ['{"a": 1.0}', undefined]);
    assert.match(encodeJson(schema, read).toString(), /"parameters":\{"a":1\.0\}.*"parameters":\{"b":2\}/);
  });
});

describe('keepUntouchedRaw', () => {
  test('keeps the printed text of raw values that a patch did not change, and drops the others', () => {
    const printed = claimText('{"a":1.0}', '{"b":1.0}');
    const patched = JSON.parse(claimText('{"a":1.0}', '{"b":2}')) as JsonObject;
    atOnce(keepUntouchedRaw(schema, patched, printed));
    assert.deepEqual(parametersOf(patched).map(exactTextOf), ['{"a":1.0}', undefined]);
  });
});

describe('takeExactRaw', () => {
  test('takes the texts over to a copy of the object', () => {
    const claim = readClaim(claimText('{"a": 1}'));
    const copy = structuredClone(claim);
    assert.equal(holdsExactRaw(schema, copy), false);
    takeExactRaw(schema, copy, claim);
    assert.deepEqual(parametersOf(copy).map(exactTextOf), ['{"a": 1}']);
  });
});
