import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { createServerAuthority } from '#test/oidc/server-authority.ts';

/** What the webhook does with a question: the status of its review, or what it sends by itself. */
export type Reply = JsonObject | ((response: ServerResponse) => void);

export interface HostileWebhook {
  readonly kubeconfig: string;
  /** Specs of the reviews that it got. */
  readonly asked: JsonObject[];
  reply: (spec: JsonObject) => Reply;
  close(): void;
}

/** Sends without end, as fast as it is read; `sent` has the bytes so far. */
export function endless(sent: { bytes: number } = { bytes: 0 }): (response: ServerResponse) => void {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"x":"');
    const chunk = Buffer.alloc(64 * 1024, 'x');
    const more = (): void => {
      while (!response.destroyed && response.write(chunk)) sent.bytes += chunk.length;
    };
    response.on('drain', more);
    more();
  };
}

/** Sends a byte now and then. */
export function dribble(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
}

export async function startHostileWebhook(): Promise<HostileWebhook> {
  const { ca, cert, key } = createServerAuthority();
  const server = createServer({ cert, key }, (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (more: string) => (text += more));
    request.on('end', () => {
      const { apiVersion = null, kind = null, spec } = JSON.parse(text) as JsonObject;
      const question = isObject(spec) ? spec : {};
      webhook.asked.push(question);
      const reply = webhook.reply(question);
      if (typeof reply === 'function') reply(response);
      else
        response.setHeader('content-type', 'application/json').end(JSON.stringify({ apiVersion, kind, status: reply }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cluster = {
    server: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    'certificate-authority-data': Buffer.from(ca).toString('base64'),
  };
  const webhook: HostileWebhook = {
    kubeconfig: JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'it',
      contexts: [{ name: 'it', context: { cluster: 'it', user: '' } }],
      clusters: [{ name: 'it', cluster }],
    }),
    asked: [],
    reply: () => ({}),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return webhook;
}
