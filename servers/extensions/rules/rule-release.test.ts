import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { validateSchemaPart } from '#servers/extensions/crds/validate-version-parts.ts';
import { fieldErrorText, path } from '#shared/apimachinery/errors/field-error.ts';
import type { Release } from '#shared/apimachinery/release-version.ts';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';

const rule = '[1, 2].distinct().size() == 2';
const part = { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule }] } };

async function errorsOf(
  compatibility: Release,
  known?: {
    readonly expressions: ReadonlySet<string>;
    readonly messageExpressions: ReadonlySet<string>;
    readonly sameSchema: boolean;
  },
): Promise<string[]> {
  return (
    await inSlices(
      validateSchemaPart(part, { hasStatus: false, structural: true, known, compatibility }, path('schema')),
    )
  ).map((error) => fieldErrorText(error));
}

describe('compatibility version of rules', () => {
  test('allows functions of the previous release in a new rule', async () => {
    assert.deepEqual(await errorsOf('1.35'), []);
  });

  // With --emulated-version 1.34 on both servers; `distinct` came with 1.34, and 1.33 may have to read the rule.
  test('refuses a function newer than the compatibility version in a new rule and allows it in a stored rule', async () => {
    const [said = ''] = await errorsOf('1.33');
    assert.match(
      said,
      /compilation failed: ERROR: <input>:1:16: undeclared reference to 'distinct' \(in container ''\)/,
    );
    assert.deepEqual(
      await errorsOf('1.33', { expressions: new Set([rule]), messageExpressions: new Set(), sameSchema: true }),
      [],
    );
  });
});
