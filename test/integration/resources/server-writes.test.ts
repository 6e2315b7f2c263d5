import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { startHostedCluster, type HostedCluster } from '#test/integration/one-process/start-cluster.ts';

// Managed fields of what the server writes by itself. test/conformance/series/server-writes.ts compares these objects
// and others with the reference, from which the values here are.

let cluster: HostedCluster;
let client: ApiClient;
before(async () => {
  cluster = await startHostedCluster();
  client = http2Client(cluster);
});
after(async () => {
  client.close();
  await cluster.close();
});

async function send(method: string, path: string, body?: object, status = 201): Promise<JsonObject> {
  const headers = method === 'PATCH' ? { 'content-type': 'application/merge-patch+json' } : {};
  const answer = await client.send(method, path, { headers, ...(body === undefined ? {} : { body }) });
  assert.equal(answer.status, status, answer.text);
  return answer.json as JsonObject;
}

/** The managers of an object, without the times of their writes. */
function managersOf(object: JsonObject): JsonObject[] {
  return objectsAt(object, 'metadata', 'managedFields').map(({ time: _time, ...entry }) => entry);
}

describe('managed fields of writes of the server', () => {
  test('name kube-apiserver as the manager of the IPAddress of a Service', async () => {
    const service = await send('POST', '/api/v1/namespaces/default/services?fieldManager=m', {
      metadata: { name: 'a' },
      spec: { ports: [{ port: 80 }] },
    });
    const path = `/apis/networking.k8s.io/v1/ipaddresses/${stringAt(service, 'spec', 'clusterIP')}`;
    assert.deepEqual(managersOf(await send('GET', path, undefined, 200)), [
      {
        apiVersion: 'networking.k8s.io/v1',
        fieldsType: 'FieldsV1',
        fieldsV1: {
          'f:metadata': {
            'f:labels': {
              '.': {},
              'f:ipaddress.kubernetes.io/ip-family': {},
              'f:ipaddress.kubernetes.io/managed-by': {},
            },
          },
          'f:spec': { 'f:parentRef': { '.': {}, 'f:name': {}, 'f:namespace': {}, 'f:resource': {} } },
        },
        manager: 'kube-apiserver',
        operation: 'Update',
      },
    ]);
  });

  test('name kube-apiserver as the manager of the usage of custom resources in a quota', async () => {
    const count = 'count/things.example.com';
    const quotas = '/api/v1/namespaces/default/resourcequotas';
    const spec = {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    };
    await send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: 'things.example.com' },
      spec,
    });
    await send('POST', `${quotas}?fieldManager=m`, { metadata: { name: 'q' }, spec: { hard: { [count]: '5' } } });
    const status = { hard: { [count]: '5' }, used: { [count]: '0' } };
    await send('PATCH', `${quotas}/q/status?fieldManager=controller`, { status }, 200);
    const thing = { apiVersion: 'example.com/v1', kind: 'Thing', metadata: { name: 'a' } };
    // The extensions server learns of the quota in its own time, and refuses until then.
    while (
      (await client.send('POST', '/apis/example.com/v1/namespaces/default/things', { body: thing })).status !== 201
    )
      await sleep(10);
    assert.deepEqual(
      managersOf(await send('GET', `${quotas}/q`, undefined, 200)).find(
        (entry) => stringAt(entry, 'manager') === 'kube-apiserver',
      ),
      {
        apiVersion: 'v1',
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:status': { 'f:used': { [`f:${count}`]: {} } } },
        manager: 'kube-apiserver',
        operation: 'Update',
        subresource: 'status',
      },
    );
  });
});
