import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import { asKubeObject, type KubeObject } from '#shared/apimachinery/object.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import type { RequestScope } from '#shared/endpoints/request/request-scope.ts';
import type { FieldValidation } from '#shared/serializer/decode-binary.ts';
import { ObjectPatch } from './object-patch.ts';
import type { PatchType } from './read-patch.ts';

const facts = loadFacts();
const scope = {
  schema: facts.schema('', 'v1', 'ConfigMap'),
  apiVersion: 'v1',
  kind: { group: '', version: 'v1', kind: 'ConfigMap' },
} as RequestScope;

function configMap(): KubeObject {
  return asKubeObject({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: 'b' } });
}

/** The data after the patch, and the warnings. */
function applied(type: PatchType, body: string, validation: FieldValidation): { data: unknown; warnings: string[] } {
  const warnings: string[] = [];
  const patch = atOnce(ObjectPatch.read(type, Buffer.from(body), validation));
  const { object } = atOnce(
    patch.apply(facts, scope, { object: configMap(), printed: undefined }, (text) => void warnings.push(text)),
  );
  return { data: object['data'], warnings };
}

// The texts are those of a kube-apiserver.
const cases: [type: PatchType, body: string, errors: string[]][] = [
  [
    'application/merge-patch+json',
    '{"data":{"a":"x","a":"c"},"odd":1}',
    ['duplicate field "data.a"', 'unknown field "odd"'],
  ],
  [
    'application/strategic-merge-patch+json',
    '{"data":{"a":"x","a":"c"},"odd":1}',
    ['duplicate field "data.a"', 'unknown field "odd"'],
  ],
  [
    'application/json-patch+json',
    '[{"op":"replace","path":"/data/a","value":"c"},{"op":"add","path":"/odd","value":1,"more":1}]',
    ['json patch unknown field "[1].more"', 'unknown field "odd"'],
  ],
];

describe('ObjectPatch', () => {
  for (const [type, body, errors] of cases) {
    test(`warns of unknown and duplicate fields of a ${type}`, () => {
      assert.deepEqual(applied(type, body, 'Warn'), { data: { a: 'c' }, warnings: errors });
    });

    test(`says nothing of them where they are ignored in a ${type}`, () => {
      assert.deepEqual(applied(type, body, 'Ignore'), { data: { a: 'c' }, warnings: [] });
    });

    test(`refuses them where the request is strict in a ${type}`, () => {
      assert.throws(
        () => applied(type, body, 'Strict'),
        ({ code, message }: StatusError) =>
          code === 422 && message.includes(`strict decoding error: ${errors.join(', ')}`),
      );
    });
  }
});
