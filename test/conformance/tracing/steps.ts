import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '#test/api-client.ts';
import { moreSteps, prepareMore } from './more-steps.ts';
import { clientSpan } from './span-tree.ts';
import type { OldRevisions, Step } from './step.ts';
import type { TracedWebhook } from './webhook-server.ts';

const group = 'traces.quarterdeck.example';
const widgets = `/apis/${group}/v1/namespaces/default/widgets`;
const admission = '/apis/admissionregistration.k8s.io/v1';
const definition = {
  metadata: { name: `widgets.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
  },
};

const widget = (name: string): object => ({ apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name } });

const configMaps = '/api/v1/namespaces/default/configmaps';
const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
const outdated = { ...configMap, metadata: { name: 'a', resourceVersion: '1' } };
const apply = 'application/apply-patch+yaml';
const merge = 'application/merge-patch+json';
const reviews = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
const review = { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } };

/** The requests that are traced, in turn. */
export const steps: readonly Step[] = [
  { name: 'create a node', method: 'POST', path: '/api/v1/nodes', body: { metadata: { name: 'fake' } } },
  { name: 'get it', method: 'GET', path: '/api/v1/nodes/fake' },
  { name: 'get it from the cache', method: 'GET', path: '/api/v1/nodes/fake?resourceVersion=0' },
  { name: 'list nodes', method: 'GET', path: '/api/v1/nodes' },
  {
    name: 'update it',
    method: 'PUT',
    path: '/api/v1/nodes/fake',
    body: { metadata: { name: 'fake', annotations: { a: 'b' } } },
  },
  {
    name: 'patch it',
    method: 'PATCH',
    path: '/api/v1/nodes/fake',
    body: { metadata: { labels: { a: 'b' } } },
    type: 'application/strategic-merge-patch+json',
  },
  { name: 'get what is not there', method: 'GET', path: '/api/v1/nodes/none' },
  { name: 'delete it', method: 'DELETE', path: '/api/v1/nodes/fake' },
  { name: 'ask for the version', method: 'GET', path: '/version' },
  { name: 'create a custom resource with webhooks', method: 'POST', path: widgets, body: widget('a') },
  { name: 'list custom resources', method: 'GET', path: widgets },
  { name: 'list the first nodes', method: 'GET', path: '/api/v1/nodes?limit=1' },
  { name: 'list nodes from the cache', method: 'GET', path: '/api/v1/nodes?resourceVersion=0' },
  {
    name: 'list namespaces as a table',
    method: 'GET',
    path: '/api/v1/namespaces?fieldSelector=metadata.name%3Ddefault',
  },
  { name: 'apply a configmap', method: 'PATCH', path: `${configMaps}/a?fieldManager=t`, body: configMap, type: apply },
  { name: 'apply it again', method: 'PATCH', path: `${configMaps}/a?fieldManager=t`, body: configMap, type: apply },
  {
    name: 'change it by JSON patch',
    method: 'PATCH',
    path: `${configMaps}/a`,
    body: [{ op: 'add', path: '/data', value: { a: 'b' } }],
    type: 'application/json-patch+json',
  },
  { name: 'patch what is not there', method: 'PATCH', path: `${configMaps}/none`, body: {}, type: merge },
  { name: 'create what exists', method: 'POST', path: configMaps, body: configMap },
  { name: 'update with an old version', method: 'PUT', path: `${configMaps}/a`, body: outdated },
  { name: 'create without a name', method: 'POST', path: configMaps, body: {} },
  { name: 'delete a collection', method: 'DELETE', path: `${configMaps}?labelSelector=none` },
  { name: 'merge patch a custom resource', method: 'PATCH', path: `${widgets}/a`, body: { a: 1 }, type: merge },
  {
    name: 'apply a custom resource',
    method: 'PATCH',
    path: `${widgets}/a?fieldManager=t`,
    body: widget('a'),
    type: apply,
  },
  { name: 'delete a custom resource', method: 'DELETE', path: `${widgets}/a` },
  { name: 'ask who may', method: 'POST', path: reviews, body: review },
  { name: 'discover', method: 'GET', path: '/apis' },
  { name: 'ask for a path that is not there', method: 'GET', path: '/nothing' },
  ...moreSteps,
];

export function traceIdOf(index: number): string {
  return `0af7651916cd43dd8448eb211c80${(0x1000 + index).toString(16)}`;
}

/** Makes the custom resource and its webhooks, and waits until both act. */
export async function prepare(client: ApiClient, webhook: TracedWebhook): Promise<void> {
  await client.send('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', { body: definition });
  const hook = {
    name: 'hook.traces.io',
    clientConfig: webhook.clientConfig,
    rules: [{ apiGroups: [group], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  for (const kind of ['mutating', 'validating'])
    await client.send('POST', `${admission}/${kind}webhookconfigurations`, {
      body: { metadata: { name: 'traces' }, webhooks: [hook] },
    });
  for (let index = 0; webhook.traceparents.length < 4; index++) {
    await client.send('POST', widgets, { body: widget(`before-${index}`) });
    await sleep(100);
  }
  await prepareMore(client, webhook);
  webhook.traceparents.length = 0;
}

export async function createWidget(
  client: ApiClient,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  await client.send('POST', widgets, { body: widget(name), headers });
}

/** A list before the steps, and a change after it. */
async function makeOld(client: ApiClient): Promise<OldRevisions> {
  const { json } = await client.send('GET', '/api/v1/namespaces?limit=1');
  const { resourceVersion: revision, continue: continues } = json.metadata as Record<string, string>;
  await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name: 'newer' } } });
  return { revision: revision ?? '', continues: encodeURIComponent(continues ?? '') };
}

/** Plays the steps; the answers' codes by the names of the steps. */
export async function play(client: ApiClient): Promise<Map<string, number>> {
  const codes = new Map<string, number>();
  const old = await makeOld(client);
  for (const [index, { name, method, path, body, type = 'application/json' }] of steps.entries()) {
    const headers = { traceparent: `00-${traceIdOf(index)}-${clientSpan}-01`, 'content-type': type };
    const to = typeof path === 'string' ? path : path(old);
    const answer = await client.send(method, to, body === undefined ? { headers } : { body, headers });
    codes.set(name, answer.status);
  }
  return codes;
}
