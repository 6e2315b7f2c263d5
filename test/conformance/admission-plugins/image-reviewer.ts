import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { PkiPaths } from '#shared/process/data-directory.ts';

type Json = Record<string, unknown>;

/** A webhook for ImagePolicyWebhook: the image of the first container says what it answers. */
export class ImageReviewer {
  readonly #server: Server;
  /** Reviews by the path to which they came. */
  readonly #seen = new Map<string, string[]>();

  constructor(pki: PkiPaths) {
    this.#server = createServer(
      { cert: readFileSync(pki.servingCert), key: readFileSync(pki.servingKey) },
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const text = Buffer.concat(chunks).toString('utf8');
          const path = request.url ?? '';
          const seen = this.#seen.get(path) ?? [];
          seen.push(`${request.method} ${request.headers['content-type']} ${request.headers.authorization} ${text}`);
          this.#seen.set(path, seen);
          const { code, type, body } = answerTo(text);
          response.writeHead(code, { 'content-type': type }).end(body);
        });
      },
    );
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What came to a path. */
  reviews(path: string): readonly string[] {
    return this.#seen.get(path) ?? [];
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

interface Answer {
  readonly code: number;
  readonly type: string;
  readonly body: string;
}

function answerTo(text: string): Answer {
  const review = JSON.parse(text) as { spec: { containers?: { image?: string }[] } };
  const image = review.spec.containers?.[0]?.image ?? '';
  const json = (body: Json, code = 200): Answer => ({ code, type: 'application/json', body: JSON.stringify(body) });
  const status = (said: Json): Answer =>
    json({ kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', status: said });
  switch (image) {
    case 'bad':
      return status({ allowed: false, reason: 'not signed' });
    case 'quiet':
      return status({ allowed: false });
    case 'untyped':
      return json({ status: { allowed: true } });
    case 'other-kind':
      return json({ kind: 'Pod', apiVersion: 'v1' });
    case 'wrong-type':
      return json({ kind: 'ImageReview', apiVersion: 'imagepolicy.k8s.io/v1alpha1', status: { allowed: 'yes' } });
    case 'garbage':
      return { code: 200, type: 'text/plain', body: '<html>' };
    case 'empty':
      return { code: 200, type: 'application/json', body: '' };
    case 'missing':
      return { code: 404, type: 'text/plain', body: 'no such page' };
    case 'failing':
      return { code: 500, type: 'text/plain', body: 'out of order' };
    case 'refusing':
      return json({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'go away', code: 403 }, 403);
    default:
      return status({ allowed: true, auditAnnotations: { seen: 'yes' } });
  }
}
