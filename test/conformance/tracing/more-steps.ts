import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, ApiClient } from '#test/api-client.ts';
import type { Step } from './step.ts';
import type { TracedWebhook } from './webhook-server.ts';

const group = 'versions.quarterdeck.example';
const registered = '/apis/registered.quarterdeck.example/v1';
const admission = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const gadgets = (version: string): string => `/apis/${group}/${version}/gadgets`;
const gadget = (version: string, name: string): object => ({
  apiVersion: `${group}/${version}`,
  kind: 'Gadget',
  metadata: { name },
});
const hooked = (hook: string): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: `hooked-${hook}`, labels: { hook } },
});
const create = (name: string, hook: string): Step => ({ name, method: 'POST', path: configMaps, body: hooked(hook) });

/** Watches, lists of old revisions, webhooks that fail, conversions and registered servers. */
export const moreSteps: readonly Step[] = [
  { name: 'watch', method: 'GET', path: '/api/v1/namespaces?watch=1&timeoutSeconds=1' },
  {
    name: 'watch from a version on',
    method: 'GET',
    path: ({ revision }) => `/api/v1/namespaces?watch=1&timeoutSeconds=1&resourceVersion=${revision}`,
  },
  {
    name: 'watch with initial events',
    method: 'GET',
    path: '/api/v1/namespaces?watch=1&timeoutSeconds=1&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan',
  },
  { name: 'watch custom resources', method: 'GET', path: `${gadgets('v1')}?watch=1&timeoutSeconds=1` },
  {
    name: 'list an old revision',
    method: 'GET',
    path: ({ revision }) => `/api/v1/namespaces?resourceVersion=${revision}&resourceVersionMatch=Exact`,
  },
  {
    name: 'list a page of an old revision',
    method: 'GET',
    path: ({ continues }) => `/api/v1/namespaces?limit=1&continue=${continues}`,
  },
  create('create what a webhook denies', 'denies'),
  create('create with a webhook that fails', 'fails'),
  create('create with a webhook that is away', 'away'),
  create('create with a webhook that is away and ignored', 'ignored'),
  { name: 'create a converted custom resource', method: 'POST', path: gadgets('v2'), body: gadget('v2', 'b') },
  { name: 'get a converted custom resource', method: 'GET', path: `${gadgets('v2')}/a` },
  { name: 'list converted custom resources', method: 'GET', path: gadgets('v2') },
  { name: 'ask a registered server', method: 'GET', path: `${registered}/things` },
  { name: 'send to a registered server', method: 'POST', path: `${registered}/things`, body: {} },
];

/** Makes what {@link moreSteps} need, and waits until all of it acts. */
export async function prepareMore(client: ApiClient, webhook: TracedWebhook): Promise<void> {
  const post = (path: string, body: object): Promise<Answer> => client.send('POST', path, { body });
  await post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition(webhook));
  await post(`${admission}/validatingwebhookconfigurations`, {
    metadata: { name: 'failing' },
    webhooks: [
      hook('denies', webhook, 'denies'),
      hook('fails', webhook, 'fails'),
      hook('away', webhook, 'away', { url: 'https://127.0.0.1:1/' }),
      hook('ignored', webhook, 'ignored', { url: 'https://127.0.0.1:1/' }),
    ],
  });
  await post('/api/v1/namespaces/default/services', {
    metadata: { name: 'registered' },
    spec: { type: 'ExternalName', externalName: 'localhost', ports: [{ port: webhook.port }] },
  });
  await post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.registered.quarterdeck.example' },
    spec: {
      group: 'registered.quarterdeck.example',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 15,
      insecureSkipTLSVerify: true,
      service: { namespace: 'default', name: 'registered', port: webhook.port },
    },
  });
  await until(async () => (await client.send('GET', `${registered}/things`)).status === 200);
  await until(async () => (await post(gadgets('v1'), gadget('v1', 'a'))).status === 201);
  await until(async () => (await client.send('GET', `${gadgets('v2')}/a`)).status === 200);
  await until(async () => (await post(`${configMaps}?dryRun=All`, hooked('denies'))).status !== 201);
}

function hook(name: string, { clientConfig }: TracedWebhook, path: string, other?: object): object {
  return {
    name: `${name}.traces.io`,
    clientConfig: other ?? { ...clientConfig, url: clientConfig.url + path },
    objectSelector: { matchLabels: { hook: name } },
    failurePolicy: name === 'ignored' ? 'Ignore' : 'Fail',
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
}

function definition({ clientConfig }: TracedWebhook): object {
  const version = (name: string): object => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  return {
    metadata: { name: `gadgets.${group}` },
    spec: {
      group,
      scope: 'Cluster',
      names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', listKind: 'GadgetList' },
      versions: [version('v1'), version('v2')],
      conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions: ['v1'] } },
    },
  };
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await holds()); tries++) {
    if (tries > 100) throw new Error('what was made does not act');
    await sleep(100);
  }
}
