import { bobToken } from '#test/tokens.ts';
import { get, make, map, patch, type SpecialRequest } from './special-requests.ts';
import { webSocket } from './upgrade-requests.ts';

const group = '/apis/extended.example';
const things = `${group}/v1/namespaces/special/things`;
const absent = '/apis/absent.example/v1/namespaces/special/things';
const thing = { ...map('a'), kind: 'Thing', apiVersion: 'extended.example/v1' };

/** Registers the server of `extension-server.ts`, and another that is nowhere. */
export function extensionPreparation(port: number): readonly SpecialRequest[] {
  return [
    make('/api/v1/namespaces/special/services', {
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name: 'extension' },
      spec: { type: 'ExternalName', externalName: 'localhost' },
    }),
    registration('extended.example', { name: 'extension', port }),
    registration('absent.example', { name: 'absent' }),
  ];
}

function registration(name: string, service: { readonly name: string; readonly port?: number }): SpecialRequest {
  return make('/apis/apiregistration.k8s.io/v1/apiservices', {
    kind: 'APIService',
    apiVersion: 'apiregistration.k8s.io/v1',
    metadata: { name: `v1.${name}` },
    spec: {
      group: name,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: 'special', ...service },
    },
  });
}

/** A node whose kubelet is the same server. */
export function proxiedPreparation(port: number, address: string): readonly SpecialRequest[] {
  const status = {
    addresses: [{ type: 'InternalIP', address }],
    daemonEndpoints: { kubeletEndpoint: { Port: port } },
  };
  return [
    make('/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata: { name: 'proxied' } }),
    patch('/api/v1/nodes/proxied/status', 'merge-patch+json', JSON.stringify({ status })),
  ];
}

/** The same over the proxy of that node, where requests have no deadline. */
export function proxiedRequests(): SpecialRequest[] {
  return extensionRequests
    .filter(({ path }) => path.startsWith(things) && !path.includes('timeout='))
    .map((asked) => ({ ...asked, path: asked.path.replace(things, '/api/v1/nodes/proxied/proxy/things') }));
}

export const extensionProbes: readonly SpecialRequest[] = [get(things)];

/** What a registered server answers, refuses, leaves without an answer, and breaks off. */
export const extensionRequests: readonly SpecialRequest[] = [
  get(things),
  get(`${group}/v1`),
  get(group),
  get(`${things}/missing`),
  get(`${things}/failing`),
  make(things, thing),
  patch(`${things}/a`, 'merge-patch+json', '{"a":1}'),
  { method: 'DELETE', path: `${things}/a` },
  { method: 'HEAD', path: things },
  { ...get(things), token: bobToken },
  { ...get(things), token: '' },
  get(things, { 'impersonate-user': 'bob' }),
  get(`${things}/no-answer`),
  make(`${things}/no-answer`, {}),
  ...['short', 'broken', 'chunks', 'no-json', 'no-http', 'odd-length', 'odd-chunk', 'no-more'].flatMap((name) => [
    get(`${things}/${name}`),
    make(`${things}/${name}`, thing),
  ]),
  { method: 'HEAD', path: `${things}/broken` },
  get(`${things}/elsewhere`),
  { method: 'DELETE', path: `${things}/empty` },
  get(`${things}/warned`),
  get(`${things}/hanging?timeout=1s`),
  make(`${things}/hanging?timeout=1s`, thing),
  get(`${things}/stalled?timeout=1s`),
  get(`${things}/hanging?timeout=bad`),
  { ...get(`${things}/hanging`), leavesAfterMs: 300 },
  { ...get(`${things}/stalled`), leavesAfterMs: 300 },
  get(`${things}?watch=1`),
  get(`${things}/watched?watch=1`),
  get(`${things}/chunks?watch=1`),
  get(`${things}/no-answer?watch=1`),
  { ...get(`${things}/stalled?watch=1`), leavesAfterMs: 300 },
  { ...get(`${things}/hanging?watch=1`), leavesAfterMs: 300 },
  get(`${things}/joined`, webSocket),
  get(`${things}/refused`, webSocket),
  get(`${things}/joined?watch=1`, webSocket),
  get(absent),
  make(absent, thing),
  get(`${absent}?watch=1`),
  get('/apis/absent.example/v1'),
  get('/apis/absent.example'),
  get(`${absent}/joined`, webSocket),
];
