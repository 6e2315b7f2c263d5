import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCa } from '#shared/server/testing/certificates.ts';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly object[];
  };
}

/** A webhook that allows everything, and keeps the `traceparent` of each review of an admission. */
export interface TracedWebhook {
  /** Of a webhook configuration. With `denies` behind its URL it denies, with `fails` it answers with an error. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
  readonly port: number;
  readonly traceparents: string[];
  /** `traceparent`, `tracestate` and `baggage` of each of them. */
  readonly told: string[];
  close(): void;
}

export interface WebhookOptions {
  /** As long as each call is to take. */
  readonly answersAfterMs?: number;
  /** Ends each connection with its answer, so that each call needs a new one. */
  readonly endsConnections?: boolean;
}

/** Converts objects, too, and answers other requests with their paths, as a registered server may. */
export async function startWebhook({
  answersAfterMs = 0,
  endsConnections = false,
}: WebhookOptions = {}): Promise<TracedWebhook> {
  const traceparents: string[] = [];
  const told: string[] = [];
  const ca = await createTestCa('CN=webhook-ca');
  const serving = await ca.issue('CN=webhook', 'server', undefined, 'localhost');
  const server = createServer(serving, (request, response) => {
    const { url = '', headers } = request;
    if (endsConnections) response.setHeader('connection', 'close');
    response.setHeader('content-type', 'application/json');
    // Of a registered server: what it says of itself, and the requests of clients.
    if (request.method !== 'POST' || url.startsWith('/apis')) return void response.end('{}');
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const review = JSON.parse(text) as Review;
      if (review.kind === 'AdmissionReview') {
        traceparents.push(String(headers['traceparent']));
        told.push(['traceparent', 'tracestate', 'baggage'].map((name) => String(headers[name])).join(' '));
      }
      response.statusCode = url.startsWith('/fails') ? 500 : 200;
      setTimeout(() => response.end(JSON.stringify(answerOf(review, url))), answersAfterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: { url: `https://localhost:${port}/`, caBundle: Buffer.from(ca.cert).toString('base64') },
    port,
    traceparents,
    told,
    close: () => server.close(),
  };
}

function answerOf({ apiVersion, kind, request }: Review, url: string): object {
  const { uid, objects, desiredAPIVersion } = request;
  if (objects === undefined) return { apiVersion, kind, response: { uid, allowed: !url.startsWith('/denies') } };
  const convertedObjects = objects.map((object) => ({ ...object, apiVersion: desiredAPIVersion }));
  return { apiVersion, kind, response: { uid, result: { status: 'Success' }, convertedObjects } };
}
