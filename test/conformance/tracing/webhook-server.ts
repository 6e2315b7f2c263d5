import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCa } from '#shared/server/testing/certificates.ts';

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string };
}

/** A webhook that allows everything, and keeps the `traceparent` of each call. */
export interface TracedWebhook {
  /** Of a webhook configuration. */
  readonly clientConfig: { readonly url: string; readonly caBundle: string };
  readonly traceparents: string[];
  /** `traceparent`, `tracestate` and `baggage` of each call. */
  readonly told: string[];
  close(): void;
}

/** @param answersAfterMs as long as each call is to take */
export async function startWebhook(answersAfterMs = 0): Promise<TracedWebhook> {
  const traceparents: string[] = [];
  const told: string[] = [];
  const ca = await createTestCa('CN=webhook-ca');
  const serving = await ca.issue('CN=webhook', 'server', undefined, 'localhost');
  const server = createServer(serving, (request, response) => {
    traceparents.push(String(request.headers['traceparent']));
    told.push(['traceparent', 'tracestate', 'baggage'].map((name) => String(request.headers[name])).join(' '));
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { apiVersion, kind, request: asked } = JSON.parse(text) as Review;
      const answer = JSON.stringify({ apiVersion, kind, response: { uid: asked.uid, allowed: true } });
      setTimeout(() => response.end(answer), answersAfterMs);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: { url: `https://localhost:${port}/`, caBundle: Buffer.from(ca.cert).toString('base64') },
    traceparents,
    told,
    close: () => server.close(),
  };
}
