import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { listAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { defineResource } from '#shared/registry/define-resource.ts';
import { scaleView } from '#shared/registry/scale-view.ts';
import { InProcess, type Answer } from './in-process.ts';

// What the reference answers is taken from the recorded replays of kube-apiserver v1.36.3.

const server = new InProcess([
  defineResource({ group: '', resource: 'configmaps', strategy: { generation: 'none' } }),
  defineResource({
    group: 'apps',
    resource: 'deployments',
    subresources: { scale: { view: scaleView({ group: 'apps', resource: 'deployments' }) } },
  }),
]);
after(() => server.close());

const maps = '/api/v1/namespaces/apply/configmaps';
const deployments = '/apis/apps/v1/namespaces/apply/deployments';

function apply(target: string, body: unknown): Promise<Answer> {
  return server.send('PATCH', target, body, { 'content-type': 'application/apply-patch+yaml' });
}

const map = (name: string, data: object, more: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...more },
  data,
});

/** Managers with their operation, subresource and fields. */
function owners({ body }: Answer): [name: string, fields: JsonObject | undefined][] {
  return listAt(body, 'metadata', 'managedFields').map((entry) => [
    `${stringAt(entry, 'manager')} ${stringAt(entry, 'operation')} ${stringAt(entry, 'subresource')}`.trim(),
    objectAt(entry, 'fieldsV1'),
  ]);
}

describe('server-side apply', () => {
  test('creates a missing object, and writes nothing when repeated', async () => {
    const made = await apply(`${maps}/a?fieldManager=one`, map('a', { x: '1', y: '1' }));
    assert.equal(made.status, 201);
    assert.deepEqual(owners(made), [['one Apply', { 'f:data': { 'f:x': {}, 'f:y': {} } }]]);
    const again = await apply(`${maps}/a?fieldManager=one`, map('a', { x: '1', y: '1' }));
    assert.equal(again.status, 200);
    assert.equal(again.text, made.text);
  });

  test("answers 409 for another manager's field, unless force is set", async () => {
    const refused = await apply(`${maps}/a?fieldManager=two`, map('a', { x: '2' }));
    assert.equal(refused.status, 409);
    assert.equal(refused.body['message'], 'Apply failed with 1 conflict: conflict with "one": .data.x');
    assert.deepEqual(objectAt(refused.body, 'details')?.['causes'], [
      { reason: 'FieldManagerConflict', message: 'conflict with "one"', field: '.data.x' },
    ]);
    const forced = await apply(`${maps}/a?fieldManager=two&force=true`, map('a', { x: '2' }));
    assert.deepEqual(owners(forced), [
      ['one Apply', { 'f:data': { 'f:y': {} } }],
      ['two Apply', { 'f:data': { 'f:x': {} } }],
    ]);
  });

  test('removes a field that its last manager no longer applies', async () => {
    const left = await apply(`${maps}/a?fieldManager=one`, map('a', {}));
    assert.deepEqual(left.body['data'], { x: '2' });
  });

  test('answers 500 to a configuration that does not fit its type, even under fieldValidation=Ignore', async () => {
    const { status, body } = await apply(`${maps}/a?fieldManager=one&fieldValidation=Ignore`, {
      ...map('a', {}),
      unknown: 1,
    });
    assert.equal(status, 500);
    assert.equal(
      body['message'],
      'failed to create typed patch object (/a; /v1, Kind=ConfigMap): .unknown: field not declared in schema',
    );
  });

  test('reads YAML, and warns of a duplicate key', async () => {
    const answer = await apply(
      `${maps}/yaml?fieldManager=one`,
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: yaml\ndata:\n  k: a\n  k: b\n',
    );
    assert.equal(answer.status, 201);
    assert.deepEqual(answer.body['data'], { k: 'b' });
    assert.deepEqual(answer.warnings, ['line 7: key "k" already set in map']);
  });
});

describe('managed fields', () => {
  test('follow updates, are cleared by an empty entry, and start with before-first-apply', async () => {
    await server.send('POST', `${maps}?fieldManager=maker`, map('u', { a: '1', b: '1' }));
    const changed = await server.send(
      'PATCH',
      `${maps}/u?fieldManager=other`,
      { data: { a: '2' } },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.deepEqual(
      new Map(owners(changed)),
      new Map([
        ['maker Update', { 'f:data': { '.': {}, 'f:b': {} } }],
        ['other Update', { 'f:data': { 'f:a': {} } }],
      ]),
    );
    const reset = await server.send(
      'PATCH',
      `${maps}/u`,
      { metadata: { managedFields: [{}] } },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.deepEqual(owners(reset), []);
    const refused = await apply(`${maps}/u?fieldManager=new`, map('u', { a: '3' }));
    assert.equal(
      refused.body['message'],
      'Apply failed with 1 conflict: conflict with "before-first-apply" using v1: .data.a',
    );
  });

  test("are taken over from kubectl's last-applied annotation", async () => {
    const name = 'kubectl.kubernetes.io/last-applied-configuration';
    const last = JSON.stringify(map('csa', { a: '1' }));
    await server.send(
      'POST',
      `${maps}?fieldManager=kubectl-client-side-apply`,
      map('csa', { a: '1' }, { annotations: { [name]: last } }),
    );
    assert.equal((await apply(`${maps}/csa?fieldManager=other`, map('csa', { a: '2' }))).status, 409);
    const taken = await apply(`${maps}/csa?fieldManager=kubectl`, map('csa', { a: '2' }));
    assert.equal(taken.status, 200);
    assert.equal(
      stringAt(taken.body, 'metadata', 'annotations', name),
      '{"apiVersion":"v1","data":{"a":"2"},"kind":"ConfigMap","metadata":{"name":"csa"}}\n',
    );
  });

  test('merge the oldest managers of updates into one beyond ten', async () => {
    await server.send('POST', `${maps}?fieldManager=m00`, map('many', { k0: '0' }));
    let answer: Answer | undefined;
    for (let i = 1; i < 12; i++) {
      const manager = `m${String(i).padStart(2, '0')}`;
      answer = await server.send(
        'PATCH',
        `${maps}/many?fieldManager=${manager}`,
        { data: { [manager]: '1' } },
        { 'content-type': 'application/merge-patch+json' },
      );
    }
    const names = listAt(answer?.body, 'metadata', 'managedFields').map((entry) => stringAt(entry, 'manager'));
    assert.equal(names.length, 10);
    assert.equal(names[0], 'ancient-changes');
  });

  test('give a Scale ownership of replicas, in conflict with an apply of the parent', async () => {
    const deployment = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
      },
    };
    assert.equal((await apply(`${deployments}/d?fieldManager=one`, deployment)).status, 201);
    const scaled = await server.send(
      'PATCH',
      `${deployments}/d/scale?fieldManager=scaler`,
      { spec: { replicas: 4 } },
      { 'content-type': 'application/merge-patch+json' },
    );
    assert.equal(scaled.status, 200);
    const refused = await apply(`${deployments}/d?fieldManager=one`, deployment);
    assert.equal(
      refused.body['message'],
      'Apply failed with 1 conflict: conflict with "scaler" with subresource "scale" using apps/v1: .spec.replicas',
    );
  });

  test('are separate for status and object', async () => {
    const status = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'd' },
      spec: { replicas: 99 },
      status: { replicas: 3 },
    };
    const answer = await apply(`${deployments}/d/status?fieldManager=controller`, status);
    assert.deepEqual(
      owners(answer).find(([name]) => name === 'controller Apply status'),
      ['controller Apply status', { 'f:status': { 'f:replicas': {} } }],
    );
    assert.equal(objectAt(answer.body, 'spec')?.['replicas'], 4);
  });
});
