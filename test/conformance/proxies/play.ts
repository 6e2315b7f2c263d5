import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { adminToken, bobToken } from '#test/tokens.ts';
import type { ProxyRequest } from './requests.ts';

/** What a client sees of an answer, less what differs from one run to the next. */
export interface Seen {
  readonly status: number | string;
  readonly headers: readonly string[];
  readonly body: string;
}

/** A connection that is open for so long is told as far as it has come. */
const longestMs = 3000;
const tokens = { admin: adminToken, bob: bobToken } as const;
/** Of Node's server alone: how long it keeps a connection. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive']);

/** Sends a request on a connection of its own, and waits until the answer has ended. */
export function play(
  url: string,
  { method, path, headers, body, isChunked, user, upgrade, readsToEnd = false }: ProxyRequest,
): Promise<Seen> {
  const base = new URL(url);
  const seen = (answer: IncomingMessage, bytes: Buffer): Seen => describe(answer, bytes, base.host);
  return new Promise((resolve) => {
    const outgoing = httpsRequest({
      host: base.hostname,
      port: base.port,
      method,
      path,
      rejectUnauthorized: false,
      agent: false,
      headers: {
        ...(user === 'nobody' ? {} : { authorization: `Bearer ${tokens[user ?? 'admin']}` }),
        ...(upgrade === undefined ? {} : { connection: 'Upgrade', upgrade }),
        ...(body === undefined || isChunked === true ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
        ...(isChunked === true ? { 'transfer-encoding': 'chunked' } : {}),
        ...(headers as Record<string, string>),
      },
    });
    outgoing.on('response', (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('end', () => resolve(seen(answer, Buffer.concat(parts))));
      answer.on('error', () => resolve({ ...seen(answer, Buffer.concat(parts)), body: 'broken off' }));
    });
    outgoing.on('upgrade', (answer, socket, head) => {
      const parts: Buffer[] = [head];
      let isAnswered = false;
      const checkReceived = (): void => {
        if (readsToEnd) return;
        const bytes = Buffer.concat(parts);
        if (bytes.includes('\n') && !isAnswered) {
          isAnswered = true;
          socket.write('ping');
        }
        if (!bytes.toString('latin1').endsWith('ping')) return;
        socket.destroy();
        resolve(seen(answer, bytes));
      };
      socket.on('data', (part: Buffer) => {
        parts.push(part);
        checkReceived();
      });
      socket
        .on('error', () => undefined)
        .on('close', () =>
          resolve({
            ...seen(answer, Buffer.alloc(0)),
            body: readsToEnd ? steady(messagesIn(Buffer.concat(parts)), base.host) : 'closed',
          }),
        );
      checkReceived();
      if (readsToEnd) setTimeout(() => socket.destroy(), longestMs).unref();
    });
    outgoing.on('error', () => resolve({ status: 'no answer', headers: [], body: '' }));
    outgoing.end(body);
  });
}

/** A line for each frame of a server: its first byte, and its payload. */
function messagesIn(bytes: Buffer): string {
  const lines: string[] = [];
  for (let at = 0; at < bytes.length;) {
    const short = bytes[at + 1] ?? 0;
    const [length, from] = short === 126 ? [bytes.readUInt16BE(at + 2), at + 4] : [short, at + 2];
    lines.push(`${(bytes[at] ?? 0).toString(16)} ${JSON.stringify(bytes.toString('latin1', from, from + length))}`);
    at = from + length;
  }
  return lines.join('\n');
}

function describe({ statusCode = 0, rawHeaders }: IncomingMessage, bytes: Buffer, host: string): Seen {
  const headers: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name, value] = [(rawHeaders[at] ?? '').toLowerCase(), rawHeaders[at + 1] ?? ''];
    if (ofConnection.has(name)) continue;
    const isId = name === 'audit-id' || name.startsWith('x-kubernetes-pf-');
    headers.push(`${name}: ${steady(isId ? value.replace(/^[0-9a-f]{8}-[-0-9a-f]+$/, 'ID') : value, host)}`);
  }
  const plain = decoded(bytes, headers.find((line) => line.startsWith('content-encoding: '))?.slice(18));
  const text = steady(plain.toString('latin1'), host);
  const hasLength =
    plain === bytes && !text.includes('"kind":"Status"') && text === plain.toString('latin1') && text !== '';
  return {
    status: statusCode,
    headers: headers.filter((line) => hasLength || !line.startsWith('content-length: ')).sort(),
    body: text,
  };
}

/** Two compressors give different bytes for one text. What says that it is compressed, and is not, stays. */
function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  try {
    if (bytes.length > 0 && encoding === 'gzip') return gunzipSync(bytes);
    return bytes.length > 0 && encoding === 'deflate' ? inflateRawSync(bytes) : bytes;
  } catch {
    return bytes;
  }
}

/** Without the ports and the time of this run. */
function steady(text: string, host: string): string {
  return text
    .replaceAll(host, 'HOST')
    .replace(/read tcp \S+(?:->|\\u003e)\S+: read:/, 'read:')
    .replace(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} 20(?!26 00:00:00)\d\d \d\d:\d\d:\d\d GMT$/, 'NOW');
}
