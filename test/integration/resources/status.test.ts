import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { coreStrategies } from '#servers/core/built-in-definitions.ts';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { InProcess } from './in-process.ts';

const flow = 'flowcontrol.apiserver.k8s.io';
const strategyOf = coreStrategies(defaultDependencies);
const server = new InProcess([
  { group: '', resource: 'replicationcontrollers', strategy: strategyOf('', 'replicationcontrollers') },
  { group: '', resource: 'resourcequotas', strategy: strategyOf('', 'resourcequotas') },
  { group: 'batch', resource: 'cronjobs', strategy: strategyOf('batch', 'cronjobs') },
  { group: flow, resource: 'flowschemas', strategy: strategyOf(flow, 'flowschemas') },
]);
after(() => server.close());

const podTemplate = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'a' }] } };
const deletionTimestamp = '2020-01-01T00:00:00Z';
const cause = {
  reason: 'FieldValueInvalid',
  message: `Invalid value: "${deletionTimestamp}": field is immutable`,
  field: 'metadata.deletionTimestamp',
};

/** What kube-apiserver v1.36.3 answers to a status that says when its object was deleted. */
const answers: readonly (readonly [collection: string, causes: readonly JsonObject[], content?: JsonObject])[] = [
  ['/api/v1/namespaces/a/resourcequotas', [cause, cause]],
  [
    '/apis/batch/v1/namespaces/a/cronjobs',
    [cause],
    { spec: { schedule: '* * * * *', jobTemplate: { spec: { template: podTemplate } } } },
  ],
  [`/apis/${flow}/v1/flowschemas`, [], { spec: { priorityLevelConfiguration: { name: 'a' } } }],
];

describe('status writes', () => {
  for (const [collection, causes, content] of answers) {
    test(`do not set deletionTimestamp: ${collection}`, async () => {
      assert.equal((await server.send('POST', collection, { metadata: { name: 'a' }, ...content })).status, 201);
      const { status, body } = await server.send('PATCH', `${collection}/a/status`, {
        metadata: { deletionTimestamp },
      });
      assert.deepEqual((body['details'] as JsonObject | undefined)?.['causes'] ?? [], causes);
      assert.equal(status, causes.length === 0 ? 200 : 422);
      assert.equal((body['metadata'] as JsonObject)['deletionTimestamp'], undefined);
    });
  }

  test('default labels of a ReplicationController from its pod template', async () => {
    const collection = '/api/v1/namespaces/a/replicationcontrollers';
    const template = {
      metadata: { labels: { a: 'b', c: 'd' } },
      spec: {
        containers: [{ name: 'a', image: 'a', imagePullPolicy: 'Always', terminationMessagePolicy: 'File' }],
        dnsPolicy: 'Default',
        restartPolicy: 'Always',
      },
    };
    assert.equal(
      (
        await server.send('POST', collection, {
          metadata: { name: 'a', labels: { own: 'x' } },
          spec: { selector: { a: 'b' }, template },
        })
      ).status,
      201,
    );
    const { body } = await server.send('PATCH', `${collection}/a/status`, { metadata: { labels: null }, spec: null });
    assert.deepEqual((body['metadata'] as JsonObject)['labels'], { a: 'b', c: 'd' });
  });
});
