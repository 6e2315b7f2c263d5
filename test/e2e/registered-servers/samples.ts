import { join } from 'node:path';
import type { ExtensionServer } from './extension-server.ts';

/** The Go project's own example, with its objects in an etcd (or what speaks like one) at `storeUrl`. */
export function upstreamSample(program: string, storeUrl: string): ExtensionServer {
  return {
    name: 'wardle',
    group: 'wardle.example.com',
    versions: ['v1alpha1', 'v1beta1'],
    resource: 'flunders',
    kind: 'Flunder',
    example: {},
    explained: /VERSION:\s+v1alpha1[^]*spec\t<FlunderSpec>[^]*reference/,
    rules: [
      { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'watch', 'list'] },
      { apiGroups: ['admissionregistration.k8s.io'], resources: ['*'], verbs: ['get', 'watch', 'list'] },
      {
        apiGroups: ['flowcontrol.apiserver.k8s.io'],
        resources: ['prioritylevelconfigurations', 'flowschemas'],
        verbs: ['get', 'watch', 'list'],
      },
    ],
    command: ({ kubeconfig, cert, key, host, port }) => [
      program,
      '--secure-port',
      String(port),
      '--bind-address',
      host,
      '--etcd-servers',
      storeUrl,
      '--tls-cert-file',
      cert,
      '--tls-private-key-file',
      key,
      '--kubeconfig',
      kubeconfig,
      '--authentication-kubeconfig',
      kubeconfig,
      '--authorization-kubeconfig',
      kubeconfig,
    ],
  };
}

/** The example of this project. */
export const typescriptSample: ExtensionServer = {
  name: 'fruits',
  group: 'fruits.quarterdeck.example',
  versions: ['v1alpha1'],
  resource: 'fruits',
  kind: 'Fruit',
  example: { spec: { color: 'red', grams: 150 } },
  explained: /VERSION:\s+v1alpha1[^]*spec\t<FruitSpec>[^]*grams\t<integer>/,
  rules: [],
  command: ({ apiUrl, apiCa, token, cert, key, host, port }) => [
    process.execPath,
    '--import',
    'tsx',
    join(import.meta.dirname, '../../sample-apiserver/main.ts'),
    apiUrl,
    apiCa,
    token,
    cert,
    key,
    String(port),
    host,
  ],
};

/**
 * A published server that many clusters have. It finds no kubelets here, and says so at /readyz; its API is there all
 * the same.
 */
export function metricsServer(program: string): ExtensionServer {
  return {
    name: 'metrics-server',
    group: 'metrics.k8s.io',
    versions: ['v1beta1'],
    resource: 'pods',
    kind: 'PodMetrics',
    example: {},
    readOnly: true,
    explained: /VERSION:\s+v1beta1[^]*containers\t<\[\]ContainerMetrics>/,
    rules: [
      { apiGroups: [''], resources: ['nodes/metrics'], verbs: ['get'] },
      { apiGroups: [''], resources: ['pods', 'nodes'], verbs: ['get', 'list', 'watch'] },
    ],
    command: ({ kubeconfig, cert, key, host, port }) => [
      program,
      '--secure-port',
      String(port),
      '--bind-address',
      host,
      '--tls-cert-file',
      cert,
      '--tls-private-key-file',
      key,
      '--kubelet-insecure-tls',
      '--kubeconfig',
      kubeconfig,
      '--authentication-kubeconfig',
      kubeconfig,
      '--authorization-kubeconfig',
      kubeconfig,
    ],
  };
}
