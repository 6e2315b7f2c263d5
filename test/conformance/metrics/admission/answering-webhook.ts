import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCa } from '#shared/server/testing/certificates.ts';

/** Answers reviews by the path that is asked. */
export interface AnsweringWebhook {
  /** The `clientConfig` of a webhook that gets the answer of a path. */
  clientConfig(path: string): { readonly url: string; readonly caBundle: string };
  close(): void;
}

const patch = (text: string): object => ({ patch: Buffer.from(text).toString('base64'), patchType: 'JSONPatch' });
const change = '[{"op":"add","path":"/metadata/annotations","value":{"changed":"true"}}]';

/** What the members of a response are, by path. */
const responses: Readonly<Record<string, object>> = {
  allow: { allowed: true },
  warn: { allowed: true, warnings: ['beware'] },
  deny: { allowed: false },
  forbid: { allowed: false, status: { code: 403, message: 'no' } },
  'deny-far': { allowed: false, status: { code: 799 } },
  'deny-well': { allowed: false, status: { code: 200 } },
  change: { allowed: true, ...patch(change) },
  'change-nothing': { allowed: true, ...patch('[]') },
  'change-wrongly': { allowed: true, ...patch('[{"op":"test","path":"/metadata/name","value":"other"}]') },
  'change-badly': { allowed: true, ...patch('{') },
  'change-untyped': { allowed: true, ...patch(change), patchType: 'MergePatch' },
};

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: { readonly uid: string };
}

/** The body and the status of an answer; undefined for none. */
function answerTo(path: string, text: string): readonly [status: number, body: string] | undefined {
  if (path === 'hang') return undefined;
  if (path === 'empty') return [200, ''];
  if (path === 'garbage') return [200, '{"kind":'];
  if (path.startsWith('status-')) return [Number(path.slice('status-'.length)), '{}'];
  const { apiVersion, kind, request } = JSON.parse(text) as Review;
  const uid = path === 'stranger' ? 'other' : request.uid;
  return [200, JSON.stringify({ apiVersion, kind, response: { uid, allowed: true, ...responses[path] } })];
}

export async function startAnsweringWebhook(): Promise<AnsweringWebhook> {
  const ca = await createTestCa('CN=webhook-ca');
  const server = createServer(await ca.issue('CN=webhook', 'server', undefined, 'localhost'), (request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const path = new URL(request.url ?? '', 'https://localhost').pathname.slice(1);
      const answer = answerTo(path, text);
      if (answer === undefined) return;
      response.writeHead(answer[0], { 'content-type': 'application/json' });
      response.end(answer[1]);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    clientConfig: (path) => ({
      url: `https://localhost:${port}/${path}`,
      caBundle: Buffer.from(ca.cert).toString('base64'),
    }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
