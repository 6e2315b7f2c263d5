import type { ApiClient } from '#test/api-client.ts';
import type { SeededRandom } from '#test/robustness/faults/seeded-random.ts';

const merge = { 'content-type': 'application/merge-patch+json' };
const namespaces = ['default', 'kube-public', 'one', 'two', 'three'];
/** So few that writes often hit what is there. */
const names = ['a', 'b', 'c', 'd', 'e', 'f'];
/** Of definitions that come and go. */
const groups = ['one.example.com', 'two.example.com'];
const standingGroup = 'standing.example.com';
const holds = 'example.com/hold';

type Make = (random: SeededRandom, name: string) => object;

interface WrittenKind {
  readonly weight: number;
  /** Of the collection, with `{ns}` for a namespace. */
  readonly path: string;
  readonly make: Make;
}

const container = { name: 'c', image: 'i' };
const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }];

/** Content of the kinds that are written, apart from metadata. */
const kinds: readonly WrittenKind[] = [
  { weight: 4, path: '/api/v1/namespaces/{ns}/configmaps', make: (random) => ({ data: { a: `${random.next()}` } }) },
  { weight: 2, path: '/api/v1/namespaces/{ns}/secrets', make: (random) => ({ stringData: { a: `${random.next()}` } }) },
  {
    weight: 4,
    path: '/api/v1/namespaces/{ns}/services',
    make: (random) => ({
      spec: {
        type: random.pick(['ClusterIP', 'NodePort', 'LoadBalancer']),
        selector: { a: 'b' },
        ports: [{ port: 80 + random.between(0, 3) }],
      },
    }),
  },
  { weight: 2, path: '/api/v1/namespaces/{ns}/pods', make: () => ({ spec: { containers: [container] } }) },
  { weight: 1, path: '/api/v1/namespaces/{ns}/serviceaccounts', make: () => ({}) },
  { weight: 2, path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles', make: () => ({ rules }) },
  {
    weight: 2,
    path: '/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/rolebindings',
    make: (random) => ({
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: random.pick(['view', 'edit']) },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: random.pick(['jane', 'joe']) }],
    }),
  },
  { weight: 1, path: '/apis/rbac.authorization.k8s.io/v1/clusterroles', make: () => ({ rules }) },
  {
    weight: 1,
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    make: (random) => ({
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['example.org'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['none'] },
          ],
        },
        validations: [{ expression: `${random.between(0, 9)} > 1` }],
      },
    }),
  },
  {
    weight: 1,
    path: '/apis/scheduling.k8s.io/v1/priorityclasses',
    make: (random) => ({ value: random.between(1, 1000) }),
  },
  {
    weight: 2,
    path: '/api/v1/namespaces/{ns}/events',
    make: () => ({ involvedObject: { kind: 'Pod', name: 'a' }, reason: 'R', message: 'm', type: 'Normal' }),
  },
];

/** Makes so many writes, one after the other. Many are refused, as what they concern is not there. */
export async function writeAtRandom(client: ApiClient, random: SeededRandom, count: number): Promise<void> {
  for (let at = 0; at < count; at++)
    await random.weighted<() => Promise<unknown>>([
      [12, () => writeObject(client, random)],
      [2, () => writeNamespace(client, random)],
      [2, () => writeDefinition(client, random)],
      [1, () => deleteRegistration(client, random)],
      [4, () => writeCustom(client, random)],
      [2, () => writeOwned(client, random)],
    ])();
}

async function writeObject(client: ApiClient, random: SeededRandom): Promise<void> {
  const kind = random.weighted(kinds.map((each) => [each.weight, each] as const));
  const namespace = random.pick(namespaces);
  const collection = kind.path.replace('{ns}', namespace);
  const name = random.pick(names);
  const involved = kind.path.endsWith('/events') ? { involvedObject: { kind: 'Pod', name: 'a', namespace } } : {};
  await change(client, random, collection, name, { ...kind.make(random, name), ...involved });
}

/** Creates, changes or deletes an object. */
async function change(
  client: ApiClient,
  random: SeededRandom,
  collection: string,
  name: string,
  content: object,
): Promise<void> {
  const finalizers = random.chance(0.1) ? { finalizers: [holds] } : {};
  const labels = { round: String(random.between(0, 99)) };
  await random.weighted<() => Promise<unknown>>([
    [5, () => client.send('POST', collection, { body: { ...content, metadata: { name, labels, ...finalizers } } })],
    [2, () => client.send('PATCH', `${collection}/${name}`, { body: { metadata: { labels } }, headers: merge })],
    [
      1,
      () => client.send('PATCH', `${collection}/${name}`, { body: { metadata: { finalizers: null } }, headers: merge }),
    ],
    [
      3,
      () =>
        client.send('DELETE', `${collection}/${name}`, {
          body: {
            kind: 'DeleteOptions',
            apiVersion: 'v1',
            propagationPolicy: random.pick(['Background', 'Foreground', 'Orphan']),
          },
        }),
    ],
    // Roles of the cluster are needed by those who check.
    [collection.includes('/namespaces/') ? 0.2 : 0, () => client.send('DELETE', collection)],
  ])();
}

async function writeNamespace(client: ApiClient, random: SeededRandom): Promise<void> {
  const name = random.pick(namespaces.slice(2));
  if (random.chance(0.7)) await client.send('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  else await client.send('DELETE', `/api/v1/namespaces/${name}`);
}

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function writeDefinition(client: ApiClient, random: SeededRandom): Promise<void> {
  const group = random.pick(groups);
  const columns = random.chance(0.3)
    ? { additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }] }
    : {};
  if (random.chance(0.8)) await client.send('POST', definitions, { body: definitionOf(group, columns) });
  else await client.send('DELETE', `${definitions}/things.${group}`);
}

/** The gateway makes the APIService of a definition again. */
async function deleteRegistration(client: ApiClient, random: SeededRandom): Promise<void> {
  await client.send('DELETE', `/apis/apiregistration.k8s.io/v1/apiservices/v1.${random.pick(groups)}`);
}

function definitionOf(group: string, columns: object = {}): object {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      names: { plural: 'things', singular: 'thing', kind: 'Thing' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema, ...columns }],
    },
  };
}

/** A definition that no write changes or deletes, so that informers of its objects can stay open; for `apply()`. */
export const standingDefinition = definitionOf(standingGroup);

async function writeCustom(client: ApiClient, random: SeededRandom): Promise<void> {
  const group = random.pick([...groups, standingGroup]);
  const content = { apiVersion: `${group}/v1`, kind: 'Thing', spec: { size: random.between(0, 9) } };
  const collection = `/apis/${group}/v1/namespaces/${random.pick(namespaces)}/things`;
  await change(client, random, collection, random.pick(names), content);
}

/** An object that names another one as its owner. */
async function writeOwned(client: ApiClient, random: SeededRandom): Promise<void> {
  const collection = `/api/v1/namespaces/${random.pick(namespaces)}/configmaps`;
  const owner = random.pick(names);
  const { status, json } = await client.send('GET', `${collection}/${owner}`);
  if (status !== 200) return;
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid: (json as Named).metadata.uid };
  const ownerReferences = [{ ...reference, blockOwnerDeletion: random.chance(0.5) }];
  await client.send('POST', collection, {
    body: { metadata: { name: `owned-${random.pick(names)}`, ownerReferences } },
  });
}

interface Named {
  readonly metadata: { readonly uid: string };
}
