import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { PkiPaths } from '#shared/process/data-directory.ts';

/** The two servers that are compared; each calls the webhooks below a path of its own. */
export type SideName = 'here' | 'reference';

/** What a webhook was asked, and by which request. */
export interface Asked {
  readonly path: string;
  readonly headers: readonly (string | undefined)[];
  readonly body: JsonObject;
}

const hangMs = 4_000;

/** An authorization webhook whose answer is chosen by the namespace that it is asked about, or else by the path. */
export class Reviewer {
  readonly #server: Server;
  /** Below TLS, by the port of the client. */
  readonly #connections = new Map<number, Socket>();
  readonly #asked: Record<SideName, Asked[]> = { here: [], reference: [] };

  constructor(pki: PkiPaths) {
    this.#server = createServer(
      { cert: readFileSync(pki.servingCert), key: readFileSync(pki.servingKey) },
      (request, response) => void this.#review(request, response),
    );
    this.#server.on('connection', (socket) => this.#connections.set(socket.remotePort ?? 0, socket));
  }

  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** What came since the last call. */
  take(side: SideName): readonly Asked[] {
    return this.#asked[side].splice(0);
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #review(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString()) as JsonObject;
    const [, side = '', ...rest] = (request.url ?? '').split('/');
    const { 'content-type': type, authorization } = request.headers;
    this.#asked[side as SideName].push({
      path: `${request.method} /${rest.join('/')}`,
      headers: [type, authorization],
      body,
    });
    const spec = objectAt(body, 'spec');
    const wanted = stringAt(spec, 'resourceAttributes', 'namespace') || stringAt(spec, 'nonResourceAttributes', 'path');
    if (wanted === 'reset') this.#connections.get(request.socket.remotePort ?? 0)?.resetAndDestroy();
    else answer(response, wanted.replace(/^\//, ''), stringAt(body, 'apiVersion'));
  }
}

/** Every kind of answer, by its name. */
function answer(response: ServerResponse, wanted: string, apiVersion: string): void {
  const send = (code: number, type: string, text: string): void =>
    void response.writeHead(code, { 'content-type': type }).end(text);
  const review = (status: object, more: object = {}): void =>
    send(200, 'application/json', JSON.stringify({ kind: 'SubjectAccessReview', apiVersion, status, ...more }));
  const answers: Readonly<Record<string, () => void>> = {
    deny: () => review({ allowed: false, denied: true, reason: 'not for <you> & others' }),
    both: () => review({ allowed: true, denied: true, reason: 'both' }),
    opinionless: () => review({ allowed: false, reason: 'no opinion' }),
    'evaluation-error': () => review({ allowed: false, evaluationError: 'could not look', reason: 'looked' }),
    kindless: () => send(200, 'application/json', '{"status":{"allowed":true}}'),
    statusless: () => send(200, 'application/json', `{"kind":"SubjectAccessReview","apiVersion":"${apiVersion}"}`),
    'other-version': () =>
      review({ allowed: true }, { apiVersion: `authorization.k8s.io/${apiVersion.endsWith('v1') ? 'v1beta1' : 'v1'}` }),
    'other-kind': () => review({ allowed: true }, { kind: 'SelfSubjectAccessReview' }),
    'other-group': () => review({ allowed: true }, { apiVersion: 'example.com/v1' }),
    pod: () => send(200, 'application/json', '{"kind":"Pod","apiVersion":"v1"}'),
    'wrong-type': () => review({ allowed: 'yes' }),
    'other-user': () => review({ allowed: true }, { spec: { user: 'admin' } }),
    'unknown-field': () => review({ allowed: true, alowed: false }),
    created: () => send(201, 'application/json', '{"status":{"allowed":true}}'),
    garbage: () => send(200, 'application/json', '<html>'),
    text: () => send(200, 'text/plain', 'yes'),
    empty: () => send(200, 'application/json', ''),
    huge: () => review({ allowed: true, reason: 'x'.repeat(20_000) }),
    missing: () => send(404, 'text/plain', 'no such page'),
    forbidden: () =>
      send(
        403,
        'application/json',
        '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"go away","code":403}',
      ),
    failing: () => send(500, 'text/plain', 'out of order'),
    busy: () => send(429, 'text/plain', 'later'),
    redirect: () => void response.writeHead(302, { location: 'https://127.0.0.1:1/elsewhere' }).end(),
    hang: () => void setTimeout(() => review({ allowed: true }), hangMs).unref(),
  };
  (answers[wanted] ?? (() => review({ allowed: true, reason: 'by the webhook' })))();
}
