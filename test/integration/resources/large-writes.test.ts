import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { coreStrategies } from '#servers/core/built-in-definitions.ts';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import { longestTurn } from '#shared/apimachinery/slices/testing/longest-turn.ts';
import { defineResource } from '#shared/registry/define-resource.ts';
import { InProcess } from './in-process.ts';

const strategy = coreStrategies(defaultDependencies)('', 'configmaps');
const server = new InProcess([defineResource({ group: '', resource: 'configmaps', strategy })]);
after(() => server.close());

const configMaps = '/api/v1/namespaces/default/configmaps';
const entries = 20_000;
const texts = (entry: (index: number) => string): string =>
  Array.from({ length: entries }, (_, index) => entry(index)).join(',');
/** Of all processor time of a write: what holds the loop in one go. Time that passes says nothing on a busy machine. */
const mostOfOneTurn = 0.25;

describe('large writes', () => {
  // Nothing says how long the body is: HTTP/2 and chunks need no Content-Length.
  for (const [name, method, target, body, contentType, status] of [
    [
      'labels are created',
      'POST',
      configMaps,
      `{"metadata":{"name":"a","labels":{${texts((i) => `"l${i}":"v"`)}}}}`,
      'application/json',
      201,
    ],
    [
      'labels are merged',
      'PATCH',
      `${configMaps}/b`,
      `{"metadata":{"labels":{${texts((i) => `"l${i}":"v"`)}}}}`,
      'application/merge-patch+json',
      200,
    ],
    [
      'keys are applied',
      'PATCH',
      `${configMaps}/c?fieldManager=m`,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{${texts((i) => `"k${i}":""`)}}}`,
      'application/apply-patch+yaml',
      201,
    ],
    [
      'keys stand twice',
      'POST',
      `${configMaps}?fieldValidation=Strict`,
      `{"metadata":{"name":"d"},"data":{${texts((i) => `"k${i >> 1}":""`)}}}`,
      'application/json',
      400,
    ],
    [
      'keys stand twice in YAML',
      'PATCH',
      `${configMaps}/e?fieldManager=m&fieldValidation=Ignore`,
      `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"e"},"data":{${texts((i) => `"k${i >> 1}":""`)}}}`,
      'application/apply-patch+yaml',
      201,
    ],
    [
      'labels are created in YAML',
      'POST',
      configMaps,
      `metadata:\n  name: f\n  labels:\n${Array.from({ length: entries }, (_, i) => `    l${i}: v\n`).join('')}`,
      'application/yaml',
      201,
    ],
    [
      'fields of a manager stand in any order',
      'POST',
      configMaps,
      `{"metadata":{"name":"g","managedFields":[{"manager":"m","operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:data":{${texts((i) => `"f:k${(i * 7_919) % entries}":{}`)}}}}]}}`,
      'application/json',
      201,
    ],
    [
      'finalizers are merged by a strategic patch',
      'PATCH',
      `${configMaps}/b`,
      `{"metadata":{"finalizers":[${texts((i) => `"a.example.com/f${i}"`)}]}}`,
      'application/strategic-merge-patch+json',
      200,
    ],
    [
      'unknown fields are refused with the document that has them',
      'PATCH',
      `${configMaps}/c?fieldValidation=Strict`,
      `{${texts((i) => `"unknown${i}":"v"`)}}`,
      'application/merge-patch+json',
      422,
    ],
  ] as const) {
    test(`leave turns to other requests while 20,000 ${name}`, async () => {
      // The first writes of a kind are taken for large ones.
      for (let i = 0; i < 20; i++)
        await server.send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'small' } });
      await server.send('POST', configMaps, { metadata: { name: 'b' } });
      const { value, longestMs, totalMs } = await longestTurn(() =>
        server.send(method, target, body, { 'content-type': contentType }),
      );
      const share = longestMs / totalMs;
      assert.equal(value.status, status);
      assert.ok(share < mostOfOneTurn, `${Math.round(share * 100)} % of the work in one turn`);
    });
  }
});
