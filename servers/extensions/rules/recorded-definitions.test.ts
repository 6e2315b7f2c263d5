import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { validateSchemaPart } from '#servers/extensions/crds/validate-version-parts.ts';
import { fieldErrorText, path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';

// Schemas with rules out of the tests of upstream's package, with what is wrong with them: recorded by
// test/recorders/rules/record.sh.

interface Case {
  readonly definition: JsonObject;
  readonly errors: readonly string[];
  readonly path: string;
  readonly status: boolean;
  readonly sameSchema: boolean;
  readonly expressions: readonly string[];
  readonly messageExpressions: readonly string[];
}

const cases = readFileSync(new URL('./testdata/gen/definitions.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

describe('validateSchemaPart', () => {
  cases.forEach((one, index) => {
    test(`returns the errors of the reference for recorded schema ${index + 1}`, async () => {
      const known = {
        expressions: new Set(one.expressions),
        messageExpressions: new Set(one.messageExpressions),
        sameSchema: one.sameSchema,
      };
      const found = await inSlices(
        validateSchemaPart(
          { openAPIV3Schema: one.definition },
          { hasStatus: one.status, structural: true, known, compatibility: '1.35' },
          path(one.path),
        ),
      );
      const texts = found.map((error) =>
        `${error.type} | ${fieldErrorText(error)}`.replaceAll(/selfType\d*/g, 'selfType'),
      );
      assert.deepEqual(
        [...new Set(texts)].toSorted(),
        [...new Set(one.errors)].toSorted(),
        JSON.stringify(one.definition).slice(0, 2000),
      );
    });
  });
});
