import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import type { ClusterAddress } from '#test/api-client.ts';

export interface Upgraded {
  readonly response: IncomingMessage;
  /** Undefined where the server did not upgrade. */
  readonly socket: Duplex | undefined;
  readonly head: Buffer;
}

/** Asks as the administrator, or with a token, for an upgrade to another protocol. */
export function upgrade(
  { url, pki }: ClusterAddress,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  token?: string,
): Promise<Upgraded> {
  const file = (name: string): Buffer => readFileSync(join(pki, name));
  const own = token === undefined ? { cert: file('admin.crt'), key: file('admin.key') } : {};
  return new Promise((resolve, reject) => {
    const asked = request(url + path, {
      ...own,
      ca: file('ca.crt'),
      agent: false,
      method,
      headers: {
        connection: 'Upgrade',
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
    });
    asked.on('upgrade', (response, socket, head) =>
      resolve({ response, socket: socket.on('error', () => undefined), head }),
    );
    asked.on('response', (response) => resolve({ response, socket: undefined, head: Buffer.alloc(0) }));
    asked.on('error', reject).end();
  });
}
