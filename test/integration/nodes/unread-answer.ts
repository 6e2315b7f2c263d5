import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import type { ClusterAddress } from '#test/api-client.ts';

/** Sends a GET over HTTP/1.1 and resolves with the response, whose body is left unread. */
export function openUnread(
  { url, pki }: ClusterAddress,
  path: string,
): Promise<{ readonly body: IncomingMessage; readonly close: () => void }> {
  const file = (name: string): Buffer => readFileSync(join(pki, name));
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url + path,
      { agent: false, ca: file('ca.crt'), cert: file('admin.crt'), key: file('admin.key') },
      (body) => resolve({ body, close: () => outgoing.destroy() }),
    );
    outgoing.on('error', reject).end();
  });
}
