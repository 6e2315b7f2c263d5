import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { defaultGates } from '#servers/core/testing/default-dependencies.ts';
import { fieldErrorText, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { validateDeclared, validateDeclaredUpdate, type DeclaredStruct } from './declared-rules.ts';
import { between, longName, shortName } from './declared-values.ts';

const models = 'io.k8s.api.scheduling.v1alpha2.';
const claim: DeclaredStruct = {
  model: `${models}PodGroupResourceClaim`,
  union: ['resourceClaimName', 'resourceClaimTemplateName'],
  fields: { name: { isRequired: true, check: shortName }, resourceClaimName: { check: longName } },
};
const group: DeclaredStruct = {
  model: `${models}PodGroupSpec`,
  fields: {
    resourceClaims: { maxItems: 3, key: 'name', struct: claim },
    priority: { isImmutable: true, check: between(-1, 5) },
  },
};

const texts = (errors: readonly FieldError[]): string[] => errors.map(fieldErrorText);
const claims = (...items: JsonObject[]): JsonObject => ({ resourceClaims: items });

describe('declared validation', () => {
  test('refuses duplicate list items, and unions without exactly one member', () => {
    const found = texts(
      validateDeclared(
        group,
        defaultGates,
        claims(
          { name: 'a', resourceClaimName: 'x' },
          { name: 'a' },
          { resourceClaimName: '', resourceClaimTemplateName: 'y' },
        ),
        path('spec'),
      ),
    );
    assert.deepEqual(
      found.map((text) => text.split(' (e.g.')[0]),
      [
        'spec.resourceClaims[1]: Duplicate value: {"name":"a"}',
        'spec.resourceClaims[1]: Invalid value: "": must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
        'spec.resourceClaims[2]: Invalid value: "{resourceClaimName, resourceClaimTemplateName}": must specify exactly one of: `resourceClaimName`, `resourceClaimTemplateName`',
        'spec.resourceClaims[2].name: Required value',
        "spec.resourceClaims[2].resourceClaimName: Invalid value: \"\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      ],
    );
  });

  test('reports only the length of a list that is too long', () => {
    assert.deepEqual(texts(validateDeclared(group, defaultGates, claims({}, {}, {}, {}), path('spec'))), [
      'spec.resourceClaims: Too many: 4: must have at most 3 items',
    ]);
  });

  test('accepts in an update errors that the old object has too', () => {
    const wrong = { name: 'A', resourceClaimName: 'x' };
    assert.deepEqual(validateDeclaredUpdate(group, defaultGates, claims(wrong), claims(wrong), path('spec')), []);
    assert.deepEqual(
      validateDeclaredUpdate(
        group,
        defaultGates,
        claims(wrong, { name: 'b', resourceClaimName: 'x' }),
        claims(wrong),
        path('spec'),
      ),
      [],
    );
    // The name is the same, and so is which member there is.
    assert.deepEqual(
      validateDeclaredUpdate(
        group,
        defaultGates,
        claims({ ...wrong, resourceClaimName: 'y' }),
        claims(wrong),
        path('spec'),
      ),
      [],
    );
    assert.equal(
      validateDeclaredUpdate(
        group,
        defaultGates,
        claims({ ...wrong, resourceClaimName: 'Y' }),
        claims(wrong),
        path('spec'),
      ).length,
      1,
    );
  });

  test('reports only the change of an immutable field, not its new value', () => {
    assert.deepEqual(
      texts(validateDeclaredUpdate(group, defaultGates, { priority: 9 }, { priority: 1 }, path('spec'))),
      ['spec.priority: Invalid value: null: field is immutable'],
    );
    assert.deepEqual(texts(validateDeclaredUpdate(group, defaultGates, {}, { priority: 1 }, path('spec'))), [
      'spec.priority: Invalid value: null: field is immutable',
    ]);
    assert.deepEqual(texts(validateDeclared(group, defaultGates, { priority: 9 })), [
      'priority: Invalid value: 9: must be less than or equal to 5',
    ]);
  });
});
