import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { FieldPathError, followFieldPath } from '#servers/extensions/schema/field-path.ts';
import { OldValue } from '#servers/extensions/schema/old-value.ts';
import { rulesKey, rulesOf, schemasOfRules } from '#servers/extensions/schema/rule.ts';
import { SchemaNode } from '#servers/extensions/schema/schema-node.ts';
import { fieldErrorText, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { cloneJson } from '#shared/apimachinery/json/clone.ts';
import { isObject, setKey, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { ownRelease, releaseBefore } from '#shared/apimachinery/release-version.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { baseEnvironments } from '#shared/cel/environment/base-environment.ts';
import { declaredTypeOf, maxOccurrences } from '#shared/cel/schema/declared-type.ts';
import { boolType, stringType } from '#shared/cel/values/cel-type.ts';
import { parseJson } from '#shared/serializer/json/parse.ts';
import { compileRules, type CompiledRule } from './compile-rules.ts';
import { Correlated, noRatchet } from './correlation.ts';
import { RuleRun } from './rule-budget.ts';
import { ruleValidatorOf } from './rule-validator.ts';

// What the tests of upstream's package compile and validate, as test/recorders/rules/record.sh recorded it.

const folder = new URL('./testdata/gen/', import.meta.url);
const { schemas, objects } = atOnce(parseJson(readFileSync(new URL('parts.json', folder)))) as {
  schemas: JsonObject[];
  objects: JsonValue[];
};

function lines(name: string): JsonObject[] {
  return readFileSync(new URL(name, folder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => atOnce(parseJson(Buffer.from(line))) as JsonObject);
}

/** The schema of a case, with its rules in their places. */
function schemaOf(entry: JsonObject): SchemaNode {
  const schema = cloneJson(schemas[Number(entry['schema'])] ?? null) as JsonObject;
  for (const [place, rules] of Object.entries(entry['at'] as JsonObject)) {
    let target: JsonValue = schema;
    for (const step of place
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('|', '/')))
      target = Array.isArray(target)
        ? (target[Number(step)] as JsonValue)
        : ((target as JsonObject)[step] as JsonValue);
    if (isObject(target)) setKey(target, rulesKey, rules);
  }
  return new SchemaNode(schema);
}

/** All that differ, so that one failure tells of all. */
function differences(
  entries: readonly JsonObject[],
  ours: (entry: JsonObject) => unknown,
  theirs: (entry: JsonObject) => unknown,
): string[] {
  return entries.flatMap((entry) => {
    let [mine, recorded] = ['', JSON.stringify(theirs(entry))];
    try {
      mine = JSON.stringify(ours(entry));
    } catch (error) {
      mine = error instanceof Error ? (error.stack ?? '') : String(error);
    }
    return mine === recorded ? [] : [`${looseLine(entry)}\n   ours      ${mine}\n   recorded  ${recorded}`];
  });
}

function looseLine(entry: JsonObject): string {
  return JSON.stringify(entry, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
}

function check(
  name: string,
  entries: readonly JsonObject[],
  ours: (entry: JsonObject) => unknown,
  theirs: (entry: JsonObject) => unknown,
): void {
  test(`match for all ${entries.length} ${name}`, () => {
    const found = differences(entries, ours, theirs);
    assert.equal(found.length, 0, `${found.length} of ${entries.length} differ:\n${found.slice(0, 20).join('\n')}`);
  });
}

const typeNumber = /selfType\d*/g;

describe('validation rules recorded from the reference', () => {
  check(
    'paths of fields',
    lines('paths.jsonl'),
    (entry) => {
      try {
        return { result: followFieldPath(String(entry['path']), schemaOf(entry)).path?.toString() ?? '' };
      } catch (error) {
        if (error instanceof FieldPathError) return { error: error.message };
        throw error;
      }
    },
    ({ result, error }) => (error === undefined ? { result } : { error }),
  );

  /**
   * One of the tests compiles as a release before 1.31 does it (pkg/apis/apiextensions/validation/validation_test.go,
   * "keywords are invalid field names before v1.30"). Servers of 1.36 emulate none before 1.33.
   */
  const beforeReservedFields = baseEnvironments(30);
  const isBeforeReservedFields = (entry: JsonObject): boolean => looseLine(entry).includes("undefined field 'if'");
  /**
   * What two of the tests declare for releases to come (fakeFunction in schema/cel/compilation_test.go, and
   * library.Test).
   */
  const base = baseEnvironments(Number(releaseBefore(ownRelease).split('.')[1]));
  const environments = {
    ...base,
    forStored: base.forStored.extend({
      libraries: [
        {
          name: 'tests',
          functions: [
            { name: 'test', overloads: [{ id: 'test', parameters: [], result: boolType }] },
            {
              name: 'fakeFunction',
              overloads: [{ id: 'fakeFunction', parameters: [stringType], result: stringType }],
            },
          ],
        },
      ],
    }),
  };
  /** As the updates of that test: it calls new what says so, and has everything else stored before. */
  const knownOfUpdates = {
    expressions: new Set(['test() == true']),
    messageExpressions: new Set(["'test: %s'.format([test()])"]),
  };
  /** It stops at the first entry that it finds, and Go looks at them in any order. */
  const inAnyOrder = 'self.val.exists(k, self.val[k] > 1)';

  check(
    'compilations',
    lines('compilations.jsonl'),
    (entry) => {
      const schema = schemaOf(entry);
      const type = declaredTypeOf(schema, entry['root'] === true);
      assert.ok(type);
      const compiled = atOnce(
        compileRules(rulesOf(schema.raw), schema, type, {
          callCost: Number(entry['limit']),
          known: entry['stored'] === true ? 'all' : isOfUpdates(entry) ? knownOfUpdates : 'none',
          estimates: true,
          environments: isBeforeReservedFields(entry) ? beforeReservedFields : environments,
        }),
      );
      return compiled.map((rule) => outcome(rule, maxOccurrences(type)));
    },
    ({ rules }) =>
      (rules as JsonObject[])
        .map((rule) => ({ ...rule, cost: rounded(rule['cost']), messageCost: rounded(rule['messageCost']) }))
        .map(inOrder),
  );

  /** Where the rule could be compiled, the test had it stored; its other cases are of a rule that is new. */
  function isOfUpdates({ rules }: JsonObject): boolean {
    return (rules as JsonObject[]).every(({ error }) => error === undefined);
  }

  function outcome(rule: CompiledRule, cardinality: number): JsonObject {
    const compiles = rule.expression !== undefined;
    return inOrder({
      cardinality: compiles ? cardinality : 0,
      cost: rounded(rule.cost),
      messageCost: rounded(rule.messageCost),
      oldSelf: rule.usesOldSelf,
      ...(rule.error === undefined ? {} : { error: `RuleInvalid: ${rule.error.replaceAll(typeNumber, 'selfType')}` }),
      ...(rule.messageError === undefined
        ? {}
        : { messageError: `RuleInvalid: ${rule.messageError.replaceAll(typeNumber, 'selfType')}` }),
      ...(rule.fieldPath === '' ? {} : { fieldPath: rule.fieldPath }),
    });
  }

  /** Costs far beyond all limits are kept as JavaScript's numbers, which have 53 bits. */
  function rounded(cost: JsonValue | undefined): number {
    return Number(Number(cost).toPrecision(15));
  }

  function inOrder(object: JsonObject): JsonObject {
    return Object.fromEntries(Object.entries(object).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  const validations = lines('validations.jsonl');
  const isInAnyOrder = (entry: JsonObject): boolean => looseLine(entry).includes(inAnyOrder);

  check(
    'validations',
    validations.filter((entry) => !isInAnyOrder(entry)),
    (entry) => validated(entry, objects[Number(entry['object'])] ?? null),
    validationOf,
  );

  test('match a validation whose cost depends on map order in one of the orders', () => {
    const entries = validations.filter(isInAnyOrder);
    assert.equal(entries.length, 1);
    for (const entry of entries) {
      const { val } = objects[Number(entry['object'])] as { val: JsonObject };
      const orders = [Object.entries(val), Object.entries(val).toReversed()];
      assert.ok(
        orders.some((order) =>
          isDeepStrictEqual(validated(entry, { val: Object.fromEntries(order) }), validationOf(entry)),
        ),
      );
    }
  });
});

function validated(entry: JsonObject, value: JsonValue): object {
  const schema = schemaOf(entry);
  const validator = ruleValidatorOf(schema, entry['root'] === true, {
    leading: schemasOfRules(schema.raw),
    callCost: Number(entry['limit']),
  });
  assert.ok(validator);
  const old = entry['old'] === undefined ? undefined : (objects[Number(entry['old'])] ?? undefined);
  const warnings: string[] = [];
  const run = new RuleRun(Number(entry['budget']), (error) => warnings.push(fieldErrorText(error)));
  const ratchet =
    entry['ratchets'] === true
      ? { here: new Correlated(value, new OldValue(old ?? null, schema)), above: undefined }
      : noRatchet;
  atOnce(validator.run({ value, old, ratchet, path: path(String(entry['path'])) }, run));
  return {
    errors: run.errors.map(errorText).toSorted(),
    left: run.left,
    ...(entry['ratchets'] === true ? { warnings: warnings.toSorted() } : {}),
  };
}

function validationOf({ errors, left, warnings }: JsonObject): object {
  return {
    errors: (errors as string[]).toSorted(),
    left: Number(left),
    ...(warnings === undefined ? {} : { warnings: (warnings as string[]).toSorted() }),
  };
}

function errorText(error: FieldError): string {
  return `${error.type} | ${fieldErrorText(error)}`.replaceAll(typeNumber, 'selfType');
}
