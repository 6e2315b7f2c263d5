import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { createTestCa, type TestCertificate } from '#shared/server/testing/certificates.ts';

/** Webhooks on a thread of its own, so that what they do is not counted as a wait: `/BEHAVIOUR`. */
export interface HostileWebhooks {
  readonly url: string;
  readonly caBundle: string;
  /** How often they were called. */
  calls(): Promise<number>;
  close(): Promise<void>;
}

const largeBytes = 10_000_000;
const slowMs = 500;

type Respond = (uid: string, response: ServerResponse) => void;

function review(uid: string, more: JsonObject = {}): string {
  const response = { uid, allowed: true, ...more };
  return JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response });
}

const behaviours = {
  allow: (uid, response) => void response.end(review(uid)),
  slow: (uid, response) => void setTimeout(() => response.end(review(uid)), slowMs),
  hang: () => undefined,
  reset: (_uid, response) => void response.destroy(),
  'garbage of 10 MB': (_uid, response) => void response.end('x'.repeat(largeBytes)),
  'a review of 10 MB': (uid, response) =>
    void response.end(review(uid, { auditAnnotations: { a: 'y'.repeat(largeBytes) } })),
  'a million warnings': (uid, response) =>
    void response.end(review(uid, { warnings: Array.from({ length: 1_000_000 }, () => 'w') })),
  'hang in the body': (_uid, response) => {
    response.writeHead(200, { 'content-length': String(largeBytes) });
    response.write('{');
  },
} satisfies Readonly<Record<string, Respond>>;

export type Behaviour = keyof typeof behaviours;

export async function startHostileWebhooks(): Promise<HostileWebhooks> {
  const ca = await createTestCa('CN=webhooks');
  const pair = await ca.issue('CN=webhook', 'server');
  const worker = new Worker(new URL(import.meta.url), { workerData: { pair } });
  const answer = (): Promise<number> => new Promise((resolve) => worker.once('message', resolve));
  const port = await answer();
  return {
    url: `https://127.0.0.1:${port}`,
    caBundle: Buffer.from(ca.cert).toString('base64'),
    calls() {
      const count = answer();
      worker.postMessage('count');
      return count;
    },
    close: async () => void (await worker.terminate()),
  };
}

if (parentPort !== null) serve((workerData as { readonly pair: TestCertificate }).pair, parentPort);

function serve(pair: TestCertificate, port: NonNullable<typeof parentPort>): void {
  let calls = 0;
  const known = new Map<string, Respond>(Object.entries(behaviours));
  const server = createServer(pair, (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls += 1;
      const asked = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonObject;
      const behaviour = decodeURIComponent(/^\/([^?]*)/.exec(request.url ?? '')?.[1] ?? '');
      response.setHeader('content-type', 'application/json');
      known.get(behaviour)?.(stringAt(asked, 'request', 'uid'), response);
    });
  });
  port.on('message', () => port.postMessage(calls));
  server.listen(0, '127.0.0.1', () => port.postMessage((server.address() as AddressInfo).port));
}
