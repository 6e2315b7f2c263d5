import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { http1Client, type ApiClient, type ClusterAddress } from '#test/api-client.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';

// Two clusters in one process (host.ts), of other flags each, answer as clusters in processes of their own do.

const choices = [
  ['--allow-privileged', '--feature-gates', 'HPAScaleToZero=true,StrictIPCIDRValidation=true'],
  ['--emulated-version', '1.34', '--storage-media-type', 'application/json', '--v', '1'],
] as const;
/** No controller makes the account that pods would have. */
const common = ['--disable-admission-plugins', 'ServiceAccount'];
let inside: readonly ClusterAddress[] = [];
let host: ChildProcess | undefined;
const outside: Cluster[] = [];

before(async () => {
  for (const flags of choices) outside.push(await startCluster({ flags: [...flags, ...common] }));
  host = fork(
    fileURLToPath(new URL('./host.ts', import.meta.url)),
    choices.map((flags) => JSON.stringify([...flags, ...common])),
    { execArgv: ['--import', 'tsx'], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] },
  );
  [inside] = (await once(host, 'message', { signal: AbortSignal.timeout(60_000) })) as [readonly ClusterAddress[]];
});
after(async () => {
  host?.kill('SIGTERM');
  await Promise.all(outside.map((cluster) => cluster.close()));
});

const container = { name: 'c', image: 'i' };
const rule = '[1, 2].distinct().size() == 2';

/** What flags decide: the version, privileges, gates, the release that new expressions have to work with. */
const requests: readonly (readonly [method: string, path: string, body?: object])[] = [
  ['GET', '/version'],
  [
    'POST',
    '/api/v1/namespaces/default/pods?dryRun=All',
    {
      metadata: { name: 'privileged' },
      spec: {
        containers: [{ ...container, securityContext: { privileged: true } }],
        automountServiceAccountToken: false,
      },
    },
  ],
  [
    'POST',
    '/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers?dryRun=All',
    {
      metadata: { name: 'zero' },
      spec: {
        minReplicas: 0,
        maxReplicas: 2,
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' },
        metrics: [
          {
            type: 'External',
            external: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '1' } },
          },
        ],
      },
    },
  ],
  [
    'POST',
    '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies?dryRun=All',
    {
      metadata: { name: 'sloppy' },
      spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: '010.0.0.0/8' } }] }] },
    },
  ],
  [
    'POST',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies?dryRun=All',
    {
      metadata: { name: 'distinct' },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        },
        validations: [{ expression: rule }],
      },
    },
  ],
  [
    'POST',
    '/apis/apiextensions.k8s.io/v1/customresourcedefinitions?dryRun=All',
    {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-validations': [{ rule }] } },
          },
        ],
      },
    },
  ],
];

async function answersOf(client: ApiClient): Promise<readonly string[]> {
  const answers: string[] = [];
  for (const [method, path, body] of requests) {
    const { status, text } = await client.send(method, path, body === undefined ? {} : { body });
    answers.push(`${method} ${path} ${status} ${withoutChance(text)}`);
  }
  return answers;
}

/** Uids, times and addresses are other ones each time. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/\d+\.\d+\.\d+\.\d+:\d+/g, 'ADDRESS');
}

async function withClients<T>(
  clusters: readonly ClusterAddress[],
  work: (client: ApiClient) => Promise<T>,
): Promise<T[]> {
  const clients = clusters.map((cluster) => http1Client(cluster));
  try {
    return await Promise.all(clients.map(work));
  } finally {
    for (const client of clients) client.close();
  }
}

describe('two clusters in one process', () => {
  test('answer by their own flags, as clusters in processes of their own do', async () => {
    const [here, there] = await Promise.all([withClients(inside, answersOf), withClients(outside, answersOf)]);
    assert.deepEqual(here, there);
    assert.equal(here.length, 2);
    const differing = requests.filter((_, index) => here[0]?.[index] !== here[1]?.[index]);
    assert.deepEqual(
      differing.map(([, path]) => path),
      requests.map(([, path]) => path),
    );
  });

  test('keep their objects apart', async () => {
    const [first, second] = inside.map((cluster) => http1Client(cluster));
    assert.ok(first !== undefined && second !== undefined);
    try {
      const path = '/api/v1/namespaces/default/configmaps';
      assert.equal((await first.send('POST', path, { body: { metadata: { name: 'only' } } })).status, 201);
      assert.equal((await first.send('GET', `${path}/only`)).status, 200);
      assert.equal((await second.send('GET', `${path}/only`)).status, 404);
    } finally {
      first.close();
      second.close();
    }
  });
});
