import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { Request, Series } from './series.ts';

const namespace = '/api/v1/namespaces/default';

const container = (name: string): JsonObject => ({ name, image: 'i' });

/**
 * Nodes whose kubelets nobody reaches: nothing listens at port 1 of this machine. No names are looked up: Go tells
 * which DNS server it asked (net/dnsclient_unix.go), Node.js does not know.
 */
const nodes: Readonly<Record<string, JsonObject>> = {
  unreachable: {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
  },
  second: {
    addresses: [
      { type: 'ExternalIP', address: '10.9.8.7' },
      { type: 'InternalIP', address: '127.0.0.1' },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 1 } },
  },
  odd: { addresses: [{ type: 'Odd', address: '10.9.8.7' }] },
  homeless: {},
};

interface Pod {
  readonly name: string;
  readonly spec: JsonObject;
}

function podsOf(run: string): Pod[] {
  const on = (node: string, more: JsonObject = {}): JsonObject => ({
    nodeName: node,
    containers: [container('c')],
    tolerations: [{ operator: 'Exists' }],
    ...more,
  });
  return [
    { name: `${run}-nowhere`, spec: { containers: [container('c')] } },
    { name: `${run}-lost`, spec: on(`${run}-gone`) },
    { name: `${run}-homeless`, spec: on(`${run}-homeless`) },
    { name: `${run}-here`, spec: on(`${run}-unreachable`) },
    { name: `${run}-second`, spec: on(`${run}-second`) },
    { name: `${run}-odd`, spec: on(`${run}-odd`) },
    {
      name: `${run}-many`,
      spec: on(`${run}-unreachable`, {
        initContainers: [container('first')],
        containers: [container('c'), container('d')],
      }),
    },
  ];
}

/** Queries of logs, right or wrong. */
const logQueries = [
  '',
  'container=c',
  'container=nope',
  'container=',
  'container=first',
  'container=c&container=nope',
  'tailLines=0',
  'tailLines=-1',
  'tailLines=x',
  'tailLines=',
  'tailLines=1.5',
  'tailLines=9223372036854775807',
  'tailLines=9223372036854775808',
  'tailLines=0x10',
  'tailLines=%2B5',
  'tailLines=1&tailLines=x',
  'limitBytes=0',
  'limitBytes=1',
  'limitBytes=-9223372036854775808',
  'limitBytes=a',
  'limitBytes=99999999999999999999999999',
  'sinceSeconds=0',
  'sinceSeconds=-5',
  'sinceSeconds=1',
  'sinceSeconds=b',
  'sinceSeconds=1&sinceTime=2024-01-02T03:04:05Z',
  'sinceSeconds=0&sinceTime=2024-01-02T03:04:05Z',
  'sinceTime=2024-01-02T03:04:05Z',
  'sinceTime=2024-01-02T03:04:05.678%2B05:30',
  'sinceTime=yesterday',
  'sinceTime=',
  'sinceTime=null',
  'sinceTime=2024-13-02T03:04:05Z',
  'sinceTime=2024-01-02',
  'sinceTime=1',
  'stream=Stdout',
  'stream=All',
  'stream=',
  'stream=odd',
  'stream=Stdout&tailLines=1',
  'follow=true',
  'follow=x',
  'follow',
  'follow=0',
  'previous=1',
  'previous=FALSE',
  'timestamps=true',
  'timestamps=false',
  'insecureSkipTLSVerifyBackend=true',
  'insecureSkipTLSVerifyBackend=maybe',
  'tailLines=-1&limitBytes=0&sinceSeconds=-1',
  'limitBytes=x&tailLines=y',
  'follow=true&previous=true&timestamps=true&tailLines=5&limitBytes=10&sinceSeconds=3&container=c',
  'dryRun=All',
  'pretty=true',
  'nothing=known',
  'container=c%2Fd',
  'container=%00',
  'container=%zz',
  'container=a;b',
];

const streamQueries: Readonly<Record<string, readonly string[]>> = {
  exec: [
    '',
    'command=x',
    'command=x&command=y+z&stdin=1&stdout=true&stderr=0&tty=maybe',
    'container=nope&command=x',
    'container=c&command=x&stdout=1',
    'dryRun=All&command=x',
    'dryRun=',
    'stdin=x',
  ],
  attach: ['', 'stdout=1', 'container=nope', 'container=c&stdin=1&stdout=1&stderr=1&tty=1', 'dryRun=All'],
  portforward: [
    '',
    'ports=80',
    'ports=80,81&ports=82',
    'ports=x',
    'ports=',
    'ports=65535',
    'ports=65536',
    'ports=-1',
    'ports=80,',
    'ports=99999999999999999999',
    'port=1',
    'dryRun=All',
  ],
};

function logRequests(run: string): Request[] {
  const pods = podsOf(run).map(({ name }) => name);
  const log = (pod: string, query: string, headers?: Record<string, string>): Request => ({
    method: 'GET',
    path: `${namespace}/pods/${pod}/log${query === '' ? '' : `?${query}`}`,
    ...(headers && { headers }),
  });
  return [
    ...[`${run}-here`, `${run}-many`, `${run}-nowhere`].flatMap((pod) => logQueries.map((query) => log(pod, query))),
    ...[...pods, `${run}-none`].flatMap((pod) => [log(pod, ''), log(pod, 'tailLines=-1'), log(pod, 'container=nope')]),
    ...[
      'text/plain',
      'application/yaml',
      'text/html',
      '*/*',
      'application/json;as=Table;g=meta.k8s.io;v=v1',
      'application/vnd.kubernetes.protobuf',
    ].flatMap((accept) => [
      log(`${run}-here`, '', { accept }),
      log(`${run}-nowhere`, '', { accept }),
      log(`${run}-none`, '', { accept }),
    ]),
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method): Request => ({
      method,
      path: `${namespace}/pods/${run}-here/log`,
    })),
    { method: 'GET', path: `${namespace}/pods/${run}-here/log/more` },
    { method: 'GET', path: `/api/v1/namespaces/${run}-none/pods/${run}-here/log` },
  ];
}

function streamRequests(run: string): Request[] {
  const pods = [...podsOf(run).map(({ name }) => name), `${run}-none`];
  return Object.entries(streamQueries).flatMap(([subresource, queries]) => {
    const at = (pod: string, query: string): string =>
      `${namespace}/pods/${pod}/${subresource}${query === '' ? '' : `?${query}`}`;
    return [
      ...pods.flatMap((pod) =>
        queries.flatMap((query) => ['GET', 'POST'].map((method): Request => ({ method, path: at(pod, query) }))),
      ),
      ...['PUT', 'PATCH', 'DELETE'].map((method): Request => ({ method, path: at(`${run}-here`, '') })),
      { method: 'POST', path: `${at(`${run}-here`, '')}/more` },
    ];
  });
}

/** What is asked of kubelets that nobody reaches, and of pods, nodes and containers that are not there. */
export const nodeConnectionSeries: readonly Series[] = [
  {
    name: 'logs of pods whose nodes are out of reach',
    requests: (run) => [...prepare(run), ...logRequests(run), ...remove(run)],
  },
  {
    name: 'exec, attach and portforward without an upgrade',
    requests: (run) => [...prepare(run), ...streamRequests(run), ...remove(run)],
  },
];

function prepare(run: string): Request[] {
  return [
    ...Object.entries(nodes).map(([name, status]): Request => ({
      method: 'POST',
      path: '/api/v1/nodes',
      body: { metadata: { name: `${run}-${name}` }, status },
    })),
    ...podsOf(run).map(({ name, spec }): Request => ({
      method: 'POST',
      path: `${namespace}/pods`,
      body: { metadata: { name }, spec },
    })),
  ];
}

function remove(run: string): Request[] {
  return [
    ...podsOf(run).map(({ name }): Request => ({
      method: 'DELETE',
      path: `${namespace}/pods/${name}?gracePeriodSeconds=0`,
    })),
    ...Object.keys(nodes).map((name): Request => ({ method: 'DELETE', path: `/api/v1/nodes/${run}-${name}` })),
  ];
}
