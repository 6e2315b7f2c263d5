import type { JsonClient } from '#test/json-client.ts';

interface Request {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly object?: object;
}

const base = '/api/v1/namespaces/default';

/** A node, a pod on it, a Service and two webhooks, none of which is where its address says. */
export async function prepare(json: Pick<JsonClient, 'call'>, caBundle: string): Promise<void> {
  await json.call('POST', '/api/v1/namespaces', { metadata: { name: 'default' } });
  await json.call('POST', `${base}/serviceaccounts`, { metadata: { name: 'default' } });
  await json.call('POST', '/api/v1/nodes', { metadata: { name: 'n' } });
  await json.call('PATCH', '/api/v1/nodes/n/status', {
    status: {
      addresses: [{ type: 'InternalIP', address: '10.99.0.1' }],
      daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    },
  });
  await json.call('POST', `${base}/pods`, {
    metadata: { name: 'p' },
    spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }] },
  });
  const podIP = '10.99.0.2';
  await json.call('PATCH', `${base}/pods/p/status`, { status: { podIP, podIPs: [{ ip: podIP }] } });
  const spec = { clusterIP: '10.0.0.77', ports: [{ port: 443, targetPort: 443 }] };
  await json.call('POST', `${base}/services`, { metadata: { name: 'hook' }, spec });
  const hook = (name: string, clientConfig: object): object => ({
    name: `${name}.example.com`,
    clientConfig: { caBundle, ...clientConfig },
    objectSelector: { matchLabels: { hook: name } },
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    timeoutSeconds: 5,
  });
  await json.call('POST', '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name: 'hook', labels: { 'kubernetes.io/service-name': 'hook' } },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.99.0.3'], conditions: { ready: true } }],
    ports: [{ port: 443, protocol: 'TCP', name: '' }],
  });
  await json.call('POST', '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
    metadata: { name: 'hooks' },
    webhooks: [
      hook('service', { service: { namespace: 'default', name: 'hook', path: '/hook' } }),
      hook('url', { url: 'https://hook.example:8443/hook' }),
    ],
  });
  // The rules are in effect after a while.
  for (let i = 0; i < 100; i++) {
    const { status } = await json.call('POST', `${base}/configmaps?dryRun=All`, configMap('probe', 'url'));
    if (status !== 201) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

function configMap(name: string, hook: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { hook } } };
}

/** A name must not be that of a connection which was kept alive, so that each request needs a new one. */
export function requests(behaviour: string): readonly Request[] {
  const name = behaviour.replaceAll(' ', '-');
  const get = (title: string, path: string): Request => ({ name: title, method: 'GET', path });
  const create = (hook: string): Request => ({
    name: `webhook by ${hook}`,
    method: 'POST',
    path: `${base}/configmaps`,
    object: configMap(`${name}-${hook}`, hook),
  });
  return [
    get('log of a pod', `${base}/pods/p/log`),
    get('proxy to a pod', `${base}/pods/p/proxy/${name}`),
    get('proxy to a pod by TLS', `${base}/pods/https:p:8443/proxy/${name}`),
    get('proxy to a node', `/api/v1/nodes/n/proxy/${name}`),
    create('service'),
    create('url'),
  ];
}
