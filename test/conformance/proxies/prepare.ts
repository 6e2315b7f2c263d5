import { Preparation } from '#test/compare/preparation.ts';
import type { TargetPorts } from './requests.ts';

const base = '/api/v1/namespaces/default';

/** Pods, services and nodes that lead to the target servers, or nowhere. */
export async function prepare(url: string, address: string, { plain, tls, closed }: TargetPorts): Promise<void> {
  const preparation = new Preparation(url);
  const create = (path: string, object: object): Promise<void> => preparation.create(path, object);
  const pod = async (name: string, ip: string | undefined, ports: readonly number[]): Promise<void> => {
    await create(`${base}/pods`, {
      metadata: { name },
      spec: {
        containers: [
          { name: 'first', image: 'i' },
          { name: 'c', image: 'i', ports: ports.map((containerPort) => ({ containerPort })) },
        ],
      },
    });
    if (ip !== undefined)
      await preparation.patch(`${base}/pods/${name}/status`, { status: { podIP: ip, podIPs: [{ ip }] } });
  };
  const service = async (name: string, ports: readonly object[], subsets?: readonly object[]): Promise<void> => {
    await create(`${base}/services`, { metadata: { name }, spec: { ports } });
    if (subsets !== undefined) await create(`${base}/endpoints`, { metadata: { name }, subsets });
  };
  const node = (name: string, addresses: readonly object[], port = tls): Promise<void> =>
    preparation.node(name, addresses, port);
  await create('/api/v1/namespaces', { metadata: { name: 'default' } });
  await create(`${base}/serviceaccounts`, { metadata: { name: 'default' } });
  await pod('p', address, [plain, tls]);
  await pod('noip', undefined, [plain]);
  await pod('noport', address, []);
  await pod('loopback', '127.0.0.1', [plain]);
  await pod('metadata', '169.254.169.254', [80]);
  await pod('elsewhere', '10.9.8.7', [plain]);
  const web = { name: 'web', port: 8080 };
  const of = (name: string, namespace = 'default'): object => ({
    ip: address,
    targetRef: { kind: 'Pod', namespace, name },
  });
  await service(
    's',
    [web, { name: 'tls', port: 8443 }],
    [
      {
        addresses: [of('p')],
        ports: [
          { name: 'web', port: plain },
          { name: 'tls', port: tls },
        ],
      },
    ],
  );
  await service('unnamed', [{ port: 80 }], [{ addresses: [of('p')], ports: [{ port: plain }] }]);
  await service('none', [{ port: 80 }]);
  await service('foreign', [web], [{ addresses: [of('p', 'other')], ports: [{ name: 'web', port: plain }] }]);
  await service('stolen', [web], [{ addresses: [of('elsewhere')], ports: [{ name: 'web', port: plain }] }]);
  await service('refless', [web], [{ addresses: [{ ip: address }], ports: [{ name: 'web', port: plain }] }]);
  await service('unready', [web], [{ notReadyAddresses: [of('p')], ports: [{ name: 'web', port: plain }] }]);
  await service('gone', [web], [{ addresses: [of('missing')], ports: [{ name: 'web', port: plain }] }]);
  await service(
    'second',
    [web],
    [
      { addresses: [of('missing'), of('p')], ports: [{ name: 'other', port: 1 }] },
      { addresses: [of('p')], ports: [{ name: 'web', port: plain }] },
    ],
  );
  await service('closed', [web], [{ addresses: [of('p')], ports: [{ name: 'web', port: closed }] }]);
  await node('n', [{ type: 'InternalIP', address }]);
  await node('noaddress', []);
  await node('metadata', [{ type: 'InternalIP', address: '169.254.169.254' }]);
  await node('loopback', [{ type: 'InternalIP', address: '127.0.0.1' }]);
  await node('named', [{ type: 'Hostname', address: 'localhost' }]);
  await node('unknown-name', [{ type: 'Hostname', address: 'no-such-host.invalid' }]);
  const rbac = '/apis/rbac.authorization.k8s.io/v1/namespaces/default';
  await create(`${rbac}/roles`, {
    metadata: { name: 'proxy-reader' },
    rules: [{ apiGroups: [''], resources: ['pods/proxy'], verbs: ['get'] }],
  });
  await create(`${rbac}/rolebindings`, {
    metadata: { name: 'proxy-reader' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'proxy-reader' },
    subjects: [{ kind: 'User', apiGroup: 'rbac.authorization.k8s.io', name: 'bob' }],
  });
}
