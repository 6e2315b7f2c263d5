import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { convertObject, type CronTab } from './cron-tabs.ts';

/** What the webhook does wrong; `right` is nothing. */
export type Behaviour =
  | 'right'
  | 'failed'
  | 'wrong uid'
  | 'no objects'
  | 'renamed'
  | 'other metadata'
  | 'bad label'
  | 'other version'
  | 'unknown field'
  | 'bad JSON'
  | 'no review'
  | 'status 500'
  | 'status 404'
  | 'redirect'
  | 'reset'
  | 'hangs'
  | 'large';

interface Review {
  apiVersion: string;
  kind: string;
  request: { uid: string; desiredAPIVersion: string; objects: CronTab[] };
}

/** A conversion webhook of one of the servers that are compared. */
export interface Webhook {
  readonly url: string;
  /** PEM in base64, for `caBundle`. */
  readonly caBundle: string;
  behaviour: Behaviour;
  close(): void;
}

export async function startWebhook(): Promise<Webhook> {
  const ca = await createTestCa('CN=webhooks');
  const { cert, key } = await ca.issue('CN=webhook', 'server');
  const server = createServer({ cert, key }, (request, response) => {
    void readBody(request).then((text) => {
      if (request.method !== 'POST') return void response.writeHead(404).end();
      const review = JSON.parse(text) as Review;
      answer(webhook.behaviour, review, response, () => sockets.get(request.socket.remotePort)?.resetAndDestroy());
    });
  });
  // A TLS socket cannot reset its connection, the one below can.
  const sockets = new Map<number | undefined, Socket>();
  server.on('connection', (socket) => {
    sockets.set(socket.remotePort, socket);
    socket.on('close', () => sockets.delete(socket.remotePort));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const webhook: Webhook = {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}/convert`,
    caBundle: Buffer.from(ca.cert).toString('base64'),
    behaviour: 'right',
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return webhook;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function answer(behaviour: Behaviour, review: Review, response: ServerResponse, reset: () => void): void {
  const { request } = review;
  const objects = request.objects.map((object) => spoiled(behaviour, convertObject(object, request.desiredAPIVersion)));
  switch (behaviour) {
    case 'reset':
      reset();
      return;
    case 'hangs':
      return;
    case 'status 500':
    case 'status 404':
      response.writeHead(Number(behaviour.slice(-3)), { 'content-type': 'text/plain' }).end('no');
      return;
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end();
      return;
    case 'bad JSON':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":"ConversionReview",');
      return;
    default:
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ ...reviewOf(behaviour, review), response: responseOf(behaviour, request.uid, objects) }));
  }
}

function reviewOf(behaviour: Behaviour, { apiVersion }: Review): object {
  return { apiVersion, kind: behaviour === 'no review' ? 'Other' : 'ConversionReview' };
}

function responseOf(behaviour: Behaviour, uid: string, objects: readonly CronTab[]): object {
  const isFailed = behaviour === 'failed';
  return {
    uid: behaviour === 'wrong uid' ? 'another' : uid,
    result: isFailed ? { status: 'Failure', message: 'this is not convertible' } : { status: 'Success' },
    convertedObjects: behaviour === 'no objects' || isFailed ? [] : objects,
    ...(behaviour === 'large' ? { padding: 'x'.repeat(10 * 1024 * 1024) } : {}),
  };
}

function spoiled(behaviour: Behaviour, object: CronTab): CronTab {
  const { metadata } = object;
  switch (behaviour) {
    case 'renamed':
      return { ...object, metadata: { ...metadata, name: 'other' } };
    case 'other metadata':
      return {
        ...object,
        metadata: { ...metadata, finalizers: ['a/b'], generation: 77, annotations: { by: 'webhook' } },
      };
    case 'bad label':
      return { ...object, metadata: { ...metadata, labels: { 'a b': 'c' } } };
    case 'other version':
      return { ...object, apiVersion: 'stable.example.com/v9' };
    case 'unknown field':
      return { ...object, more: { a: 1 } };
    default:
      return object;
  }
}
