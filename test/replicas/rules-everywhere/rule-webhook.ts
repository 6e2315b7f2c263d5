import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';

/** How it answers; all but `right` are those of a webhook that is away. */
export type Manner = 'right' | 'resets' | 'hangs' | 'fails';

export const manners: readonly Manner[] = ['right', 'resets', 'hangs', 'fails'];

/** A webhook for admission (`deny`, `mark`) and for conversion (`convert-NAME`, which writes its path to `spec.by`). */
export class RuleWebhook {
  manner: Manner = 'right';
  readonly #server: Server;
  readonly #caBundle: string;

  static async start(): Promise<RuleWebhook> {
    const ca = await createTestCa('CN=rules');
    const { cert, key } = await ca.issue('CN=webhook', 'server');
    const webhook = new RuleWebhook(createServer({ cert, key }), Buffer.from(ca.cert).toString('base64'));
    await new Promise<void>((resolve) => webhook.#server.listen(0, '127.0.0.1', resolve));
    return webhook;
  }

  private constructor(server: Server, caBundle: string) {
    this.#server = server;
    this.#caBundle = caBundle;
    server.on('request', (request, response) => void this.#serve(request, response));
  }

  clientConfig(path: string): JsonObject {
    const { port } = this.#server.address() as AddressInfo;
    return { url: `https://127.0.0.1:${port}/${path}`, caBundle: this.#caBundle };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? '').replace(/^\/|\?.*$/g, '');
    switch (this.manner) {
      case 'resets':
        return void request.socket.destroy();
      case 'hangs':
        return;
      case 'fails':
        return void response.writeHead(500, { 'content-type': 'text/plain' }).end('out of order');
      case 'right':
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answerTo(path, JSON.parse(Buffer.concat(chunks).toString()) as JsonObject)));
    }
  }
}

function answerTo(path: string, review: JsonObject): JsonObject {
  const { apiVersion = null, kind = null } = review;
  const uid = stringAt(review, 'request', 'uid');
  const response = path.startsWith('convert-') ? converted(path, review) : judged(path);
  return { apiVersion, kind, response: { uid, ...response } };
}

function judged(path: string): JsonObject {
  if (path === 'deny') return { allowed: false, status: { message: 'never' } };
  const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/metadata/labels/marked', value: 'yes' }]));
  return { allowed: true, patchType: 'JSONPatch', patch: patch.toString('base64') };
}

function converted(by: string, review: JsonObject): JsonObject {
  const apiVersion = stringAt(review, 'request', 'desiredAPIVersion');
  const convertedObjects = objectsAt(objectAt(review, 'request'), 'objects').map((object) => ({
    ...object,
    apiVersion,
    spec: { by },
  }));
  return { result: { status: 'Success' }, convertedObjects };
}
