import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateSchemaPart } from '#servers/extensions/crds/validate-version-parts.ts';
import { schemasOfRules } from '#servers/extensions/schema/rule.ts';
import { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { fieldErrorText, path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { parseSpelled, plainNumbersOfCustom } from '#shared/serializer/json/spelled-numbers.ts';
import { noRatchet } from './correlation.ts';
import { RuleRun } from './rule-budget.ts';
import { ruleValidatorOf } from './rule-validator.ts';
import { withDoubles } from './with-doubles.ts';

// What kube-apiserver v1.36.3 says; `test/conformance/random-rules` found it.

async function definitionErrors(rule: JsonObject): Promise<string[]> {
  const part = { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [rule] } };
  return (
    await inSlices(
      validateSchemaPart(
        part,
        { hasStatus: false, structural: true, known: undefined, compatibility: '1.35' },
        path('s'),
      ),
    )
  ).map((error) => fieldErrorText(error).replace(/\{.*\}/, '<rule>'));
}

describe('CEL rules of a definition', () => {
  test('report an instantiation error of a rule with optionalOldSelf', async () => {
    assert.deepEqual(await definitionErrors({ rule: "!oldSelf.hasValue() || int('x') > 1", optionalOldSelf: true }), [
      "s.openAPIV3Schema.x-kubernetes-validations[0].rule: Invalid value: <rule>: program instantiation failed: type conversion error from 'string' to 'int'",
    ]);
  });

  test('report an instantiation error of a message expression', async () => {
    assert.deepEqual(await definitionErrors({ rule: 'true', messageExpression: "string(b'\\xff')" }), [
      's.openAPIV3Schema.x-kubernetes-validations[0].messageExpression: Invalid value: <rule>: messageExpression instantiation failed: invalid UTF-8 in bytes, cannot convert to string',
    ]);
  });

  const object: JsonValue = { c: 7, e: 7, l: [1], 'a-b': 7, when: '2021-01-01T00:00:00Z', d: { 'a-b': 8 } };

  function errorsOf(rule: string, more: JsonObject = { message: 'no' }): string[] {
    const raw = {
      type: 'object',
      'x-kubernetes-validations': [{ rule, optionalOldSelf: true, ...more }],
      properties: {
        c: { type: 'integer' },
        e: { 'x-kubernetes-int-or-string': true },
        l: { type: 'array', items: { type: 'integer' } },
        'a-b': { type: 'integer' },
        when: { type: 'string', format: 'date-time' },
        d: { type: 'object', properties: { 'a-b': { type: 'integer' } } },
      },
    };
    const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
    assert.ok(validator);
    const run = new RuleRun(1_000_000, () => {});
    atOnce(validator.run({ value: object, old: object, ratchet: noRatchet, path: path('r') }, run));
    return run.errors.map(fieldErrorText);
  }

  test('treat an object behind an optional variable as JSON without its schema', () => {
    assert.deepEqual(errorsOf('oldSelf.value().c == 7 && self.a__dash__b == 7'), []);
    assert.deepEqual(errorsOf('oldSelf.value().a__dash__b == 7'), [
      'r: Invalid value: "object": no such key: a__dash__b evaluating rule: no',
    ]);
    assert.deepEqual(errorsOf('oldSelf.value().d.a__dash__b == 8'), [
      'r: Invalid value: "object": no such key: a__dash__b evaluating rule: no',
    ]);
    assert.deepEqual(errorsOf('!has(oldSelf.value().a__dash__b)'), []);
    assert.deepEqual(errorsOf('oldSelf.a__dash__b.value() == 7'), [
      'r: Invalid value: "object": optional.none() dereference evaluating rule: no',
    ]);
    assert.deepEqual(errorsOf('oldSelf.or(optional.of(self)).value().a__dash__b == 7'), [
      'r: Invalid value: "object": no such key: a__dash__b evaluating rule: no',
    ]);
    assert.deepEqual(errorsOf('optional.of(self).a__dash__b.value() == 7'), [
      'r: Invalid value: "object": optional.none() dereference evaluating rule: no',
    ]);
  });

  test('bind oldSelf to the plain value in the message expression of a rule with optionalOldSelf', () => {
    const rule = '!oldSelf.hasValue()';
    assert.deepEqual(errorsOf(rule, { messageExpression: 'string(oldSelf.value().c)' }), [
      `r: Invalid value: failed rule: ${rule}`,
    ]);
  });

  test('report values that cannot be converted for CEL once', () => {
    const rule = { 'x-kubernetes-validations': [{ rule: 'true' }, { rule: 'false' }] };
    const raw = { type: 'object', properties: { backend: { type: 'object', items: { type: 'object', ...rule } } } };
    const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
    assert.ok(validator);
    const run = new RuleRun(1_000_000, () => {});
    atOnce(validator.run({ value: { backend: [{}] }, old: undefined, ratchet: noRatchet, path: path('r') }, run));
    assert.deepEqual(run.errors.map(fieldErrorText), [
      'r.backend[0]: Invalid value: "object": rule compiler initialization error: failed to convert to declType for CEL validation rules',
    ]);
  });

  test('keep the schema of a value that the expression itself makes optional until a field is selected', () => {
    for (const rule of [
      'optional.of(self).value().a__dash__b == 7',
      'optional.of(self).orValue(self).a__dash__b == 7',
      '[self][0].a__dash__b == 7',
      'dyn(self).a__dash__b == 7',
      '(true ? self : self).a__dash__b == 7',
      '[self].all(x, x.a__dash__b == 7)',
    ]) {
      assert.deepEqual(errorsOf(`${rule} || oldSelf.hasValue() && false`), [], rule);
    }
  });

  test('compare a set of numbers beyond 64 bits equal to itself', () => {
    const raw = {
      type: 'object',
      'x-kubernetes-validations': [{ rule: 'self == self' }],
      properties: { b: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'number' } } },
    };
    const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
    assert.ok(validator);
    const run = new RuleRun(1_000_000, () => {});
    atOnce(validator.run({ value: { b: [0.5, 1e21] }, old: undefined, ratchet: noRatchet, path: path('r') }, run));
    assert.deepEqual(run.errors.map(fieldErrorText), []);
  });

  // Recorded by hand from kube-apiserver v1.36.3; test/conformance/random-definitions compares with a live one.
  test('tell the conversion of an old value of another type behind an optional variable', () => {
    const rule = { rule: 'oldSelf.value() == self', message: 'no', optionalOldSelf: true };
    const raw = { type: 'object', properties: { a: { type: 'string' } }, 'x-kubernetes-validations': [rule] };
    const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
    assert.ok(validator);
    const run = new RuleRun(1_000_000, () => {});
    atOnce(validator.run({ value: { a: 'x' }, old: [1], ratchet: noRatchet, path: path('r') }, run));
    assert.deepEqual(run.errors.map(fieldErrorText), [
      'r: Invalid value: "object": unsupported conversion to ref.Val: (*errors.errorString)invalid data, expected a map for the provided schema with type=object evaluating rule: no',
    ]);
  });

  for (const [name, items, item, goType] of [
    ['maps', { type: 'object', 'x-kubernetes-map-type': 'atomic' }, { a: 1 }, 'map[string]interface {}'],
    ['lists', { type: 'array', items: { type: 'integer' } }, [1], '[]interface {}'],
  ] as const)
    test(`cannot compare a set of ${name}`, () => {
      const raw = {
        type: 'object',
        'x-kubernetes-validations': [{ rule: 'self == self', message: 'no' }],
        properties: { b: { type: 'array', 'x-kubernetes-list-type': 'set', items } },
      };
      const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
      assert.ok(validator);
      const run = new RuleRun(1_000_000, () => {});
      const value = structuredClone({ b: [item] }) as unknown as JsonObject;
      atOnce(validator.run({ value, old: undefined, ratchet: noRatchet, path: path('r') }, run));
      assert.deepEqual(run.errors.map(fieldErrorText), [
        `r: Invalid value: "object": internal error: runtime error: hash of unhashable type ${goType} evaluating rule: no`,
      ]);
    });

  test('refuse a number written as a float for an integer field', () => {
    const integer = { type: 'integer' };
    const raw: JsonObject = {
      type: 'object',
      properties: {
        a: { ...integer, 'x-kubernetes-validations': [{ rule: 'self == 1' }] },
        b: { type: 'array', items: integer, 'x-kubernetes-validations': [{ rule: 'self.all(x, x == 1)' }] },
        c: { ...integer, 'x-kubernetes-validations': [{ rule: 'self == 1' }] },
      },
    };
    const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
    assert.ok(validator);
    const run = new RuleRun(1_000_000, () => {});
    const written = atOnce(plainNumbersOfCustom(atOnce(parseSpelled('{"a":1.0,"b":[1,1e0],"c":1}'))));
    assert.deepEqual(written, { a: 1, b: [1, 1], c: 1 });
    atOnce(
      validator.run({ value: atOnce(withDoubles(written)), old: undefined, ratchet: noRatchet, path: path('r') }, run),
    );
    assert.deepEqual(run.errors.map(fieldErrorText), [
      'r.a: Invalid value: "integer": invalid data, expected int, got float64 evaluating rule: self == 1',
      'r.b: Invalid value: "array": invalid data, expected int, got float64 evaluating rule: self.all(x, x == 1)',
    ]);
  });

  test('refuse to compare an object or list with another type unless it is the right operand', () => {
    const refused = [
      'r: Invalid value: "object": \'no such overload\': call arguments did not match a supported operator, function or macro signature for rule: no',
    ];
    assert.deepEqual(errorsOf('self == self.e'), refused);
    assert.deepEqual(errorsOf('self.l == self.e'), refused);
    assert.deepEqual(
      errorsOf(
        'self != self.e && self.l != self.e && self.e != self.d && !(self.e == self.l) && !(dyn(self) in [dyn(1)])',
      ),
      [],
    );
  });

  test('compare a map list with a list behind an optional variable by its keys', () => {
    const raw: JsonObject = {
      type: 'object',
      'x-kubernetes-validations': [
        { rule: '!oldSelf.hasValue() || self == oldSelf.value()', optionalOldSelf: true, message: 'no' },
      ],
      properties: {
        a: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['k'],
          items: { type: 'object', properties: { k: { type: 'string' }, v: { type: 'integer' } } },
        },
      },
    };
    const validator = ruleValidatorOf(new SchemaNode(raw), false, { leading: schemasOfRules(raw) });
    assert.ok(validator);
    const errorTextsOf = (value: JsonValue): string[] => {
      const run = new RuleRun(1_000_000, () => {});
      atOnce(
        validator.run({ value, old: { a: [{ k: 'x', v: 1 }, { k: 'y' }] }, ratchet: noRatchet, path: path('r') }, run),
      );
      return run.errors.map(fieldErrorText);
    };
    assert.deepEqual(errorTextsOf({ a: [{ k: 'y' }, { k: 'x', v: 1 }] }), []);
    assert.deepEqual(errorTextsOf({ a: [{ k: 'y' }, { k: 'x', v: 2 }] }), ['r: Invalid value: no']);
  });
});
