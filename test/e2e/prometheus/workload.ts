import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonClient } from '#test/json-client.ts';

const group = 'monitoring.example.com';
const configMaps = '/api/v1/namespaces/default/configmaps';
const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };

/** A definition whose conversion always fails: reads and writes of its second version get a 500. */
const broken = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `brokens.${group}` },
  spec: {
    group,
    scope: 'Cluster',
    names: { plural: 'brokens', singular: 'broken', kind: 'Broken', listKind: 'BrokenList' },
    versions: [
      { name: 'v1', served: true, storage: true, schema },
      { name: 'v2', served: true, storage: false, schema },
    ],
    conversion: {
      strategy: 'Webhook',
      // Nobody listens there.
      webhook: { conversionReviewVersions: ['v1'], clientConfig: { url: 'https://127.0.0.1:1/convert' } },
    },
  },
};

/** A version of this server's own, until {@link prepare} gives it to a Service that is not there. */
const absent = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: `v1.absent.${group}` },
  spec: {
    group: `absent.${group}`,
    version: 'v1',
    groupPriorityMinimum: 1000,
    versionPriority: 10,
  },
};

type Method = Parameters<JsonClient['call']>[0];

/** Makes what the rounds of {@link playRound} use. */
export async function prepare(client: JsonClient): Promise<void> {
  await client.call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', broken);
  const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
  await client.call('POST', apiServices, absent);
  const path = `${apiServices}/${absent.metadata.name}`;
  while (!JSON.stringify((await client.call('GET', path)).body).includes('Local')) await sleep(100);
  const service = { namespace: 'default', name: 'absent' };
  await client.call('PATCH', path, { spec: { service, insecureSkipTLSVerify: true } });
}

/** Reads and writes of each verb, scope and class of codes. The answers do not matter: servers restart meanwhile. */
export async function playRound(client: JsonClient, round: number): Promise<void> {
  const name = `round-${round}`;
  const steps: readonly (readonly [method: Method, path: string, body?: object])[] = [
    ['POST', configMaps, { metadata: { name }, data: { a: 'b' } }],
    ['GET', `${configMaps}/${name}`],
    ['GET', configMaps],
    ['GET', '/api/v1/configmaps'],
    ['GET', '/api/v1/nodes'],
    ['PATCH', `${configMaps}/${name}`, { data: { a: 'c' } }],
    ['PUT', `${configMaps}/${name}`, { metadata: { name }, data: { a: 'd' } }],
    ['DELETE', `${configMaps}/${name}`],
    ['GET', `${configMaps}/missing`],
    // Ended by its deadline.
    ['GET', `${configMaps}?timeout=1ns`],
    ['POST', `/apis/${group}/v1/brokens`, { apiVersion: `${group}/v1`, kind: 'Broken', metadata: { name } }],
    ['GET', `/apis/${group}/v2/brokens`],
    ['GET', `/apis/${group}/v2/brokens/${name}`],
    [
      'POST',
      `/apis/${group}/v2/brokens`,
      { apiVersion: `${group}/v2`, kind: 'Broken', metadata: { name: `${name}-b` } },
    ],
    ['DELETE', `/apis/${group}/v1/brokens/${name}`],
  ];
  for (const [method, path, body] of steps) await client.call(method, path, body).catch(() => undefined);
}
