import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const core = '/api/v1/namespaces/default';
const versions = ['1', '0', 'abc', '-1', '9999999999999999999'];

const dry = (path: string): string => `${path}?dryRun=All`;
const post = (path: string, body: JsonObject): Request => ({ method: 'POST', path, body });

/** Bodies that name a version, which only storage refuses. */
function named(run: string): readonly Request[] {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${run}s.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: `${run}s`, kind: `K${run}` },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  };
  const custom = `/apis/example.com/v1/namespaces/default/${run}s`;
  const customBody = (metadata: JsonObject): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: `K${run}`,
    metadata,
  });
  return [
    post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition),
    { method: 'GET', path: custom, until: ({ status }) => status === 200 },
    post(`${core}/configmaps`, { metadata: { name: run } }),
    ...versions.flatMap((resourceVersion, index): Request[] => {
      const metadata = (name: string): JsonObject => ({ name: `${run}-${name}${index}`, resourceVersion });
      return [
        post(dry(`${core}/configmaps`), { metadata: metadata('a') }),
        post(`${core}/configmaps`, { metadata: metadata('a') }),
        post(dry(`${core}/configmaps`), { metadata: { name: run, resourceVersion } }),
        post(`${core}/configmaps`, { metadata: { name: run, resourceVersion } }),
        post(dry(`${core}/configmaps`), { metadata: { name: 'A_b', resourceVersion } }),
        post(dry(custom), customBody(metadata('a'))),
        post(custom, customBody(metadata('a'))),
        post(dry(`${core}/services`), { metadata: metadata('a'), spec: { ports: [{ port: 80 }] } }),
        post(`${core}/services`, { metadata: metadata('a'), spec: { ports: [{ port: 80 }] } }),
        post(dry('/apis/apiregistration.k8s.io/v1/apiservices'), {
          metadata: { name: `v1.${run}.example.org`, resourceVersion },
          spec: { group: `${run}.example.org`, version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
        }),
        {
          method: 'PUT',
          path: dry('/apis/coordination.k8s.io/v1/namespaces/default/leases/' + String(metadata('p')['name'])),
          body: { metadata: metadata('p') },
        },
      ];
    }),
  ];
}

/** Addresses that are taken, foreign, or none, of Services that fail otherwise too. */
function addresses(run: string): readonly Request[] {
  const service = (name: string, spec: JsonObject): JsonObject => ({
    metadata: { name: `${run}-${name}` },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  const path = `${core}/services`;
  const held = '10.0.0.1';
  const wanted = [
    '',
    held,
    '10.0.0.0',
    '10.0.255.255',
    '10.1.0.1',
    '192.0.2.1',
    '0.0.0.0',
    '010.000.000.001',
    '10.0.0.010',
    'fd00::1',
    '::ffff:10.0.0.1',
    'x',
    'None',
    '10.0.3.7',
  ];
  return [
    ...wanted.flatMap((clusterIP, index): Request[] => [
      post(dry(path), service(`a${index}`, { clusterIP })),
      post(dry(path), service(`a${index}`, { clusterIP, ports: [{ port: 0 }], sessionAffinity: 'Odd' })),
      post(dry(path), service(`a${index}`, { clusterIP, type: 'ExternalName', externalName: 'a.b' })),
      post(dry(path), service(`a${index}`, { clusterIP, clusterIPs: [clusterIP] })),
      post(dry(path), service(`a${index}`, { clusterIPs: [clusterIP] })),
      post(
        dry(path),
        service(`a${index}`, { clusterIP, clusterIPs: [clusterIP, 'fd00::2'], ipFamilyPolicy: 'PreferDualStack' }),
      ),
      post(dry(path), service(`A${index}`, { clusterIP })),
      post(path, service(`A${index}`, { clusterIP })),
      post(path, service(`a${index}`, { clusterIP, ports: [{ port: 0 }], sessionAffinity: 'Odd' })),
    ]),
    post(path, service('kept', {})),
    post(path, service('outer', { type: 'ExternalName', externalName: 'a.b' })),
    ...wanted.flatMap((clusterIP): Request[] => [
      { method: 'PATCH', path: dry(`${path}/${run}-kept`), body: { spec: { clusterIP } } },
      {
        method: 'PATCH',
        path: dry(`${path}/${run}-outer`),
        body: { spec: { type: 'ClusterIP', externalName: null, clusterIP } },
      },
      {
        method: 'PATCH',
        path: dry(`${path}/${run}-outer`),
        body: { spec: { type: 'ClusterIP', externalName: null, clusterIP, sessionAffinity: 'Odd' } },
      },
      { method: 'PATCH', path: dry(`${path}/${run}-kept`), body: { spec: { type: 'NodePort', clusterIP } } },
    ]),
    ...[30_000, 32_767, 29_999, 1, 70_000, -1].flatMap((nodePort, index): Request[] => [
      post(dry(path), service(`n${index}`, { type: 'NodePort', ports: [{ port: 80, nodePort }] })),
      post(dry(path), service(`n${index}`, { type: 'NodePort', ports: [{ port: 0, nodePort }] })),
      post(path, service(`n${index}`, { type: 'NodePort', ports: [{ port: 80, nodePort }] })),
      post(dry(path), service(`m${index}`, { type: 'NodePort', ports: [{ port: 80, nodePort }] })),
      { method: 'DELETE', path: `${path}/${run}-n${index}` },
    ]),
    ...[2_147_483_647, 2_147_483_646, -1, -2_147_483_648].map((nodePort) =>
      post(
        dry(path),
        service(`h${nodePort}`, {
          type: 'LoadBalancer',
          externalTrafficPolicy: 'Local',
          ports: [
            { name: 'a', port: 80, nodePort },
            { name: 'b', port: 81 },
          ],
        }),
      ),
    ),
    post(dry(path), service('l', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 1 })),
    post(
      dry(path),
      service('l', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_001 }),
    ),
  ];
}

/** Ports for health checks of a Service that has one, or has none yet. */
function healthChecks(run: string): readonly Request[] {
  const path = `${core}/services`;
  const balancer = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' };
  const changes = [1, 0, 30_003, 70_000, null].flatMap((healthCheckNodePort): JsonObject[] => [
    { healthCheckNodePort },
    { healthCheckNodePort, externalTrafficPolicy: 'Cluster' },
    { healthCheckNodePort, type: 'NodePort' },
    { healthCheckNodePort, ...balancer },
    { healthCheckNodePort, ...balancer, ports: [{ port: 0 }] },
  ]);
  return [{}, balancer].flatMap((spec, index) => {
    const name = `${run}-${index}`;
    const at = `${path}/${name}`;
    return [
      post(path, { metadata: { name }, spec: { ports: [{ port: 80 }], ...spec } }),
      ...changes.flatMap((change): Request[] => [
        { method: 'PATCH', path: dry(at), body: { spec: change } },
        { method: 'PATCH', path: at, body: { spec: { ...change, sessionAffinity: 'Odd' } } },
      ]),
      { method: 'PATCH', path: at, body: { spec: { ...balancer, healthCheckNodePort: 2 } } },
      { method: 'DELETE', path: at },
    ];
  });
}

/** What a dry run does not ask of storage. */
export const dryRunSeries: readonly Series[] = [
  { name: 'dry runs: versions of what is created', requests: named },
  { name: 'dry runs: addresses of Services', requests: addresses },
  { name: 'ports for health checks of Services', requests: healthChecks },
];
