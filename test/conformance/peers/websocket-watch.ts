import { randomBytes } from 'node:crypto';
import { request } from 'node:https';
import type { Duplex } from 'node:stream';

/** How a watch by WebSocket begins, and its first event, or the answer that is none. */
export interface WebSocketWatch {
  readonly status: number;
  readonly protocol: string;
  readonly event: string;
}

/** Watches by WebSocket, calls `change` once the connection is upgraded, and resolves to the first event after that. */
export function webSocketWatch(
  url: string,
  path: string,
  token: string,
  change: () => Promise<unknown>,
): Promise<WebSocketWatch> {
  const { promise, resolve, reject } = Promise.withResolvers<WebSocketWatch>();
  const outgoing = request(`${url}${path}?watch=true&timeoutSeconds=20`, {
    agent: false,
    rejectUnauthorized: false,
    headers: {
      authorization: `Bearer ${token}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      // golang.org/x/net/websocket refuses handshakes without it.
      origin: 'http://localhost',
      'sec-websocket-version': '13',
      'sec-websocket-key': randomBytes(16).toString('base64'),
    },
  });
  outgoing.on('error', reject);
  outgoing.on('response', (answer) => {
    let text = '';
    answer.on('data', (chunk: Buffer) => (text += String(chunk)));
    answer.on('end', () => resolve({ status: answer.statusCode ?? 0, protocol: '', event: text }));
  });
  outgoing.on('upgrade', (answer, socket: Duplex, head: Buffer) => {
    const protocol = answer.headers['sec-websocket-protocol'] ?? '';
    let bytes = head;
    const read = (): void => {
      const event = firstMessage(bytes);
      if (event === undefined) return;
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0, protocol, event });
    };
    socket.on('error', reject).on('data', (more: Buffer) => {
      bytes = Buffer.concat([bytes, more]);
      read();
    });
    change().then(read, reject);
  });
  outgoing.end();
  return promise;
}

/** The text of the first frame once it is whole; servers do not mask (RFC 6455, 5.2). */
function firstMessage(bytes: Buffer): string | undefined {
  if (bytes.length < 10) return undefined;
  const short = (bytes[1] ?? 0) & 0x7f;
  const [length, from] =
    short < 126 ? [short, 2] : short === 126 ? [bytes.readUInt16BE(2), 4] : [Number(bytes.readBigUInt64BE(2)), 10];
  return bytes.length < from + length ? undefined : bytes.toString('utf8', from, from + length);
}
