// How long a namespace with 300 objects of 10 kinds, custom ones among them, takes to go after its deletion, in a
// cluster of tests, by client-node:
//   node --import tsx test/benchmark/namespace-deletion.ts [ROUNDS]
// It fails above a second, the median of all rounds.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ApiextensionsV1Api,
  CoreV1Api,
  KubeConfig,
  KubernetesObjectApi,
  type KubernetesObject,
} from '@kubernetes/client-node';
import { startCluster } from '#servers/host/client/start-cluster.ts';

const rounds = Number(process.argv[2] ?? 5);
const perKind = 30;
const limitMs = 1_000;

const template = {
  metadata: { labels: { app: 'x' } },
  spec: { containers: [{ name: 'c', image: 'i' }], restartPolicy: 'Always' },
};
const selector = { matchLabels: { app: 'x' } };
const kinds: readonly (readonly [apiVersion: string, kind: string, content: object])[] = [
  ['v1', 'ConfigMap', { data: { a: 'b' } }],
  ['v1', 'Secret', { stringData: { a: 'b' } }],
  ['v1', 'Service', { spec: { selector: { app: 'x' }, ports: [{ port: 80 }] } }],
  ['v1', 'ServiceAccount', {}],
  ['v1', 'Pod', { spec: { containers: [{ name: 'c', image: 'i' }] } }],
  ['apps/v1', 'Deployment', { spec: { selector, template } }],
  ['apps/v1', 'ReplicaSet', { spec: { selector, template } }],
  ['rbac.authorization.k8s.io/v1', 'Role', { rules: [] }],
  ['coordination.k8s.io/v1', 'Lease', { spec: {} }],
  ['example.com/v1', 'Thing', { spec: { a: 1 } }],
];

await using cluster = await startCluster();
const config = new KubeConfig();
config.loadFromFile(cluster.kubeconfig);
const core = config.makeApiClient(CoreV1Api);
const objects = KubernetesObjectApi.makeApiClient(config);
await config.makeApiClient(ApiextensionsV1Api).createCustomResourceDefinition({
  body: {
    metadata: { name: 'things.example.com' },
    spec: {
      group: 'example.com',
      names: { plural: 'things', singular: 'thing', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', x_kubernetes_preserve_unknown_fields: true } },
        },
      ],
    },
  },
});
const times: number[] = [];
for (let round = 0; round < rounds; round++) {
  const namespace = `round-${round}`;
  await core.createNamespace({ body: { metadata: { name: namespace } } });
  for (const [apiVersion, kind, content] of kinds)
    for (let at = 0; at < perKind; at++) {
      const object = { apiVersion, kind, metadata: { name: `${kind.toLowerCase()}-${at}`, namespace }, ...content };
      while (!(await objects.create(object as KubernetesObject).then(() => true, isEarly))) await sleep(20);
    }
  const startedMs = performance.now();
  await core.deleteNamespace({ name: namespace });
  while (
    await core.readNamespace({ name: namespace }).then(
      () => true,
      () => false,
    )
  )
    await sleep(2);
  times.push(performance.now() - startedMs);
}
times.sort((one, other) => one - other);
const median = times[Math.floor(times.length / 2)] ?? 0;
console.log(`gone after ${times.map((ms) => Math.round(ms)).join(', ')} ms; median ${Math.round(median)} ms`);
if (median > limitMs) {
  console.error(`a namespace took ${Math.round(median)} ms, more than ${limitMs} ms`);
  process.exitCode = 1;
}

/** The definition may not be served yet, and the account of pods not made. */
function isEarly(error: unknown): boolean {
  const { code, message } = error as { readonly code?: number; readonly message: string };
  if (code === 404 || code === 403 || /unrecognized/i.test(message)) return false;
  throw error instanceof Error ? error : new Error(message);
}
