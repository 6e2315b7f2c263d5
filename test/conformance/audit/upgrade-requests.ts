import type { WebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import { hooks, webhookConfiguration } from './hook-requests.ts';
import { get, make, patch, type SpecialRequest } from './special-requests.ts';

const pod = '/api/v1/namespaces/special/pods/streamed';
const upgrade = { connection: 'Upgrade' };
const spdy = { ...upgrade, upgrade: 'SPDY/3.1', 'x-stream-protocol-version': 'v4.channel.k8s.io' };
/** A handshake that names no protocol. */
export const webSocket = {
  ...upgrade,
  upgrade: 'websocket',
  origin: 'http://a',
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  'sec-websocket-version': '13',
};
const speaking = (protocol: string): Record<string, string> => ({ ...webSocket, 'sec-websocket-protocol': protocol });

/** A pod on a node with this kubelet, and webhooks of its streams. */
export function upgradePreparation(server: WebhookServer, kubeletPort: number): readonly SpecialRequest[] {
  const status = {
    addresses: [{ type: 'InternalIP', address: '127.0.0.1' }],
    daemonEndpoints: { kubeletEndpoint: { Port: kubeletPort } },
  };
  return [
    make('/api/v1/nodes', { kind: 'Node', apiVersion: 'v1', metadata: { name: 'streaming' } }),
    patch('/api/v1/nodes/streaming/status', 'merge-patch+json', JSON.stringify({ status })),
    make('/api/v1/namespaces/special/pods', {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'streamed' },
      spec: { nodeName: 'streaming', containers: [{ name: 'c', image: 'i' }] },
    }),
    ...(['Mutating', 'Validating'] as const).map((kind) =>
      make(webhookConfiguration(kind), hooks(server, kind, 'pods/*', ['annotate', '500', 'allow'])),
    ),
  ];
}

/** Streams that the kubelet takes, and some that nobody does. */
export const upgradeRequests: readonly SpecialRequest[] = [
  ...['exec?command=x&stdout=1', 'attach?stdout=1', 'portforward?ports=80'].flatMap((stream): SpecialRequest[] => [
    { method: 'POST', path: `${pod}/${stream}`, headers: spdy },
    get(`${pod}/${stream}`, spdy),
    get(`${pod}/${stream}`, speaking('v4.channel.k8s.io')),
    get(`${pod}/${stream}`, speaking('v5.channel.k8s.io')),
    get(`${pod}/${stream}`, speaking('SPDY/3.1+portforward.k8s.io')),
    get(`${pod}/${stream}`, webSocket),
  ]),
  get(`${pod}/exec?command=x&stdout=1`, { ...speaking('v5.channel.k8s.io'), 'sec-websocket-version': '8' }),
  get('/api/v1/namespaces/special/configmaps?watch=1', webSocket),
];
