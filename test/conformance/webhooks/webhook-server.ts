import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Server as NetServer, Socket } from 'node:net';
import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import type { Server } from '#test/compare/exchange.ts';
import { callBack } from './call-back.ts';
import { misbehaviours, type Respond } from './misbehaviours.ts';

/** A review that a webhook got, of one of the two servers. */
export interface SeenReview {
  readonly path: string;
  readonly review: JsonObject;
}

/**
 * Webhooks of all kinds on one port for HTTP/1.1 and one for HTTP/2, too; the path says which server asks, and what
 * becomes of it: `/SIDE/BEHAVIOUR`.
 */
export interface WebhookServer {
  readonly port: number;
  readonly http2Port: number;
  readonly caBundle: string;
  /** The reviews of a side since the last call. */
  take(side: string): SeenReview[];
  close(): void;
}

function base64(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64');
}

function said(more: JsonObject): Respond {
  return (request, response) => {
    const version = stringAt(request, 'apiVersion');
    const uid = stringAt(request, 'request', 'uid');
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ kind: 'AdmissionReview', apiVersion: version, response: { uid, allowed: true, ...more } }),
    );
  };
}

function patched(patch: unknown): Respond {
  return said({ patch: base64(patch), patchType: 'JSONPatch' });
}

const label = (key: string, value: string): JsonObject[] => [
  { op: 'add', path: '/metadata/labels', value: { [key]: value } },
];

const behaviours: Readonly<Record<string, Respond>> = {
  allow: said({}),
  deny: said({ allowed: false }),
  'deny-status': said({ allowed: false, status: { code: 418, message: 'no', reason: 'Odd', details: { name: 'd' } } }),
  'deny-reason': said({ allowed: false, status: { reason: 'Because' } }),
  'deny-details': said({
    allowed: false,
    status: {
      message: 'a\nb "c" ü',
      code: 422,
      reason: 'Invalid',
      details: { kind: 'K', causes: [{ reason: 'R', message: 'm', field: 'f' }], retryAfterSeconds: 3 },
    },
  }),
  'deny-999': said({ allowed: false, status: { code: 999, message: 'odd' } }),
  'deny-201': said({ allowed: false, status: { code: 201, message: 'odd' } }),
  'deny-negative': said({ allowed: false, status: { code: -1, message: 'odd' } }),
  'deny-long': said({ allowed: false, status: { message: 'x'.repeat(100_000) }, warnings: ['denied'] }),
  'deny-200': said({ allowed: false, status: { code: 200, status: 'Success', message: 'fine' } }),
  label: patched(label('patched', 'yes')),
  'label-again': patched([{ op: 'add', path: '/metadata/labels/again', value: 'yes' }]),
  count: (request, ...rest) => {
    const labels = objectAt(request, 'request', 'object', 'metadata', 'labels') ?? {};
    const count = `${stringAt(labels, 'count')}i`;
    patched([{ op: 'add', path: '/metadata/labels', value: { ...labels, count } }])(request, ...rest);
  },
  'patch-missing': patched([{ op: 'replace', path: '/spec/a/b', value: 1 }]),
  'patch-test': patched([{ op: 'test', path: '/metadata/name', value: 'other' }]),
  'patch-odd-op': patched([{ op: 'odd', path: '/metadata/name' }]),
  'patch-no-list': patched({ op: 'add' }),
  'patch-no-json': patched('hello'),
  'patch-none': patched([]),
  'patch-null': patched('null'),
  'patch-unchanged': patched([{ op: 'test', path: '/kind', value: 'ConfigMap' }]),
  'patch-unknown-field': patched([{ op: 'add', path: '/unknown', value: 1 }]),
  'patch-type': patched([{ op: 'add', path: '/data', value: [1] }]),
  'patch-kind': patched([{ op: 'replace', path: '/kind', value: 'Odd' }]),
  'patch-no-kind': patched([{ op: 'remove', path: '/kind' }]),
  'patch-version': patched([{ op: 'replace', path: '/apiVersion', value: 'v9' }]),
  'patch-name': patched([{ op: 'add', path: '/metadata/name', value: 'renamed' }]),
  'patch-invalid': patched([{ op: 'add', path: '/data', value: { 'not/allowed': 'x' } }]),
  'patch-managers': patched([{ op: 'add', path: '/metadata/managedFields', value: [{ operation: 'Odd' }] }]),
  'patch-data': patched([{ op: 'add', path: '/data', value: { by: 'webhook' } }]),
  'patch-image': patched([{ op: 'replace', path: '/spec/containers/0/image', value: 'patched' }]),
  'patch-container': patched([{ op: 'add', path: '/container', value: 'other' }]),
  'patch-replicas': patched([{ op: 'replace', path: '/spec/replicas', value: 7 }]),
  'patch-no-type': said({ patch: base64(label('a', 'b')) }),
  'patch-other-type': said({ patch: base64(label('a', 'b')), patchType: 'Odd' }),
  'patch-type-only': said({ patchType: 'JSONPatch' }),
  warn: said({ warnings: ['first', 'second "quoted"', ''] }),
  'warn-odd': said({ warnings: ['line\nbreak', 'tab\tbed', 'ünïcode', 'x'.repeat(300)] }),
  'warn-much': said({ warnings: Array.from({ length: 100 }, (_, at) => `${at} ${'y'.repeat(100)}`) }),
  annotate: said({ auditAnnotations: { a: 'b', 'not/good': 'c' } }),
  'no-response': (_request, response) =>
    void response.end('{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}'),
  'other-uid': said({ uid: 'other' }),
  'no-kind': (request, response) =>
    void response.end(JSON.stringify({ response: { uid: stringAt(request, 'request', 'uid'), allowed: true } })),
  'bad-json': (_request, response) => void response.end('{"kind":'),
  text: (_request, response) => void response.end('hello'),
  empty: (_request, response) => void response.end(),
  '10mb': (_request, response) => void response.end('x'.repeat(10_000_000)),
  500: (_request, response) => void response.writeHead(500, { 'content-type': 'text/plain' }).end('boom'),
  404: (_request, response) => void response.writeHead(404, { 'content-type': 'text/plain' }).end('what'),
  'slow-label': (...call) => void setTimeout(() => patched(label('slow', 'yes'))(...call), 350),
  slow: (request, response, incoming) => void setTimeout(() => said({})(request, response, incoming), 300),
  hang: () => undefined,
  'by-review': (review, ...rest) => behaviours[chosenFor(review)]?.(review, ...rest),
  reset: (_request, response) => void response.destroy(),
  ...misbehaviours,
};

const chosen = ['allow', 'deny', 'warn', 'deny-status', 'annotate', 'deny-reason', '500'] as const;

/** A behaviour that what is reviewed determines. */
function chosenFor(review: JsonObject): string {
  const { operation = '', name = '', object = {} } = objectAt(review, 'request') ?? {};
  const labels = isObject(object) ? objectAt(object, 'metadata', 'labels') : undefined;
  const sum = [...JSON.stringify([operation, name, labels])].reduce((total, text) => total + text.charCodeAt(0), 0);
  return chosen[sum % chosen.length] ?? 'allow';
}

/** `servers` are those that ask, by their sides. */
export async function startWebhookServer(servers: ReadonlyMap<string, Server> = new Map()): Promise<WebhookServer> {
  const ca = await createTestCa('CN=webhooks');
  const pair = await ca.issue('CN=webhook', 'server');
  const seen = new Map<string, SeenReview[]>();
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const [, side = '', behaviour = ''] = (request.url ?? '').split(/[/?]/);
      const verb = request.method === 'POST' ? '' : `${request.method} `;
      const path = verb + (request.url ?? '').replace(`/${side}`, '');
      const text = Buffer.concat(chunks).toString('utf8');
      const review = (text === '' ? {} : JSON.parse(text)) as JsonValue;
      if (!isObject(review)) throw new Error('the review is no object');
      seen.set(side, [...(seen.get(side) ?? []), { path, review }]);
      const server = servers.get(side);
      const respond = Object.hasOwn(behaviours, behaviour) ? behaviours[behaviour] : undefined;
      if (behaviour.startsWith('call-back') && server !== undefined)
        void callBack(server, behaviour, review).then(() => said({})(review, response, request));
      else if (respond === undefined) response.writeHead(501).end();
      else respond(review, response, request);
    });
  };
  const sockets = new Set<Socket>();
  const open = async (server: NetServer): Promise<number> => {
    server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return (server.address() as AddressInfo).port;
  };
  const both = [
    createServer(pair, serve),
    createSecureServer({ ...pair, allowHTTP1: true }, serve as unknown as () => void),
  ] as const;
  return {
    port: await open(both[0]),
    http2Port: await open(both[1]),
    caBundle: Buffer.from(ca.cert).toString('base64'),
    take(side) {
      const taken = seen.get(side) ?? [];
      seen.delete(side);
      return taken;
    },
    close() {
      for (const server of both) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
