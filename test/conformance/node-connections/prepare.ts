import { Preparation } from '#test/compare/preparation.ts';

const base = '/api/v1/namespaces/default';

/** Where the kubelets of {@link prepareNodes} listen. */
export interface KubeletPorts {
  /** One that says what it was asked. */
  readonly echoing: number;
  /** Nobody listens. */
  readonly closed: number;
}

/** Containers whose names say to the kubelet of the node `told` how it is to answer. */
export const oddContainers = [
  'failure',
  'unavailable',
  'teapot',
  'no-content',
  'redirect-other',
  'redirect-relative',
  'closes',
  'ends',
  'chunked',
  'headers',
  'text-gzip',
  'page',
  'page-404',
] as const;

/**
 * Pods on nodes that are missing, have no address, do not listen or say what they were asked, and on none; bob's few
 * rights.
 */
export async function prepareNodes(url: string, { echoing, closed }: KubeletPorts): Promise<void> {
  const preparation = new Preparation(url);
  const create = (path: string, object: object): Promise<void> => preparation.create(path, object);
  const node = (name: string, addresses: readonly object[], port: number): Promise<void> =>
    preparation.node(name, addresses, port);
  const pod = async (
    name: string,
    nodeName: string | undefined,
    containers: readonly string[],
    more: object = {},
  ): Promise<void> => {
    await create(`${base}/pods`, {
      metadata: {
        name,
        ...(name === 'noted' ? { annotations: { 'kubectl.kubernetes.io/default-container': 'c' } } : {}),
      },
      spec: {
        ...(nodeName === undefined ? {} : { nodeName }),
        containers: containers.map((each) => ({ name: each, image: 'i' })),
        ...more,
      },
    });
  };
  const here = { type: 'InternalIP', address: '127.0.0.1' };
  await create('/api/v1/namespaces', { metadata: { name: 'default' } });
  await create('/api/v1/namespaces', { metadata: { name: 'other' } });
  await create(`${base}/serviceaccounts`, { metadata: { name: 'default' } });
  await node('told', [here], echoing);
  await node('closed', [here], closed);
  await node('noaddress', [], closed);
  await node(
    'external',
    [
      { type: 'ExternalDNS', address: 'localhost' },
      { type: 'Other', address: '::1' },
    ],
    closed,
  );
  await node(
    'strange',
    [
      { type: 'Other', address: '127.0.0.1' },
      { type: 'Odd', address: 'x' },
    ],
    closed,
  );
  await node('six', [{ type: 'InternalIP', address: '::1' }], closed);
  await node(
    'preferred',
    [{ type: 'ExternalIP', address: '203.0.113.1' }, here, { type: 'Hostname', address: '127.0.0.1' }],
    closed,
  );
  await pod('told', 'told', ['c']);
  await pod('odd', 'told', oddContainers);
  await pod('two', 'told', ['c', 'd'], { initContainers: [{ name: 'before', image: 'i' }] });
  await pod('noted', 'told', ['b', 'c']);
  await pod('init', 'told', ['c'], { initContainers: [{ name: 'before', image: 'i' }] });
  await pod('none', undefined, ['c']);
  for (const each of ['closed', 'noaddress', 'external', 'strange', 'six', 'preferred', 'lost'])
    await pod(each, each, ['c']);
  const debug = { name: 'debug', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' };
  await preparation.patch(`${base}/pods/init/ephemeralcontainers`, { spec: { ephemeralContainers: [debug] } });
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  await create(`${rbac}/roles`, {
    metadata: { name: 'some' },
    rules: [
      { apiGroups: [''], resources: ['pods/log', 'pods/exec'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods/attach', 'pods/portforward'], verbs: ['create'] },
    ],
  });
  await create(`${rbac}/rolebindings`, {
    metadata: { name: 'some' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'some' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' }],
  });
}
