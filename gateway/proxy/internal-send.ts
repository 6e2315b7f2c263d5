import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { encodeIdentity, ownIdentity } from '#shared/authentication/hop-identity.ts';
import type { BackendPool } from './backend-pool.ts';
import { ForwardedBody } from './hop/request-body.ts';
import { pickOrRefuse } from './pick-backend.ts';

export interface InternalAnswer {
  readonly status: number;
  /** Parsed JSON. */
  readonly body: unknown;
}

const timeoutMs = 10_000;
const identity = headerLines(encodeIdentity(ownIdentity.user));
const agent = 'user-agent: kube-apiserver\r\n';

/**
 * Sends the gateway's own request for objects of another server, as `system:apiserver`, without retries. Throws if no
 * backend is available or none answers.
 */
export async function internalSend(
  pool: BackendPool,
  method: string,
  target: string,
  object?: object,
): Promise<InternalAnswer> {
  const backend = pickOrRefuse(pool, undefined);
  const bytes = object === undefined ? undefined : Buffer.from(JSON.stringify(object));
  const ownLines = bytes === undefined ? '' : `content-type: application/json\r\ncontent-length: ${bytes.length}\r\n`;
  const body = bytes === undefined ? undefined : new ForwardedBody(Readable.from([bytes], { objectMode: false }));
  return await new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let status = 0;
    const settle = (code: number): void => {
      clearTimeout(timer);
      const text = Buffer.concat(chunks).toString();
      resolve({ status: code, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text });
    };
    const call = backend.transport.forward(
      {
        method,
        target,
        ownLines,
        sharedLines: `host: localhost\r\naccept: application/json\r\n${agent}${identity}`,
        body,
      },
      {
        onWhole(code, _headers, whole) {
          if (whole !== undefined) chunks.push(whole);
          settle(code);
        },
        onHead: (code) => void (status = code),
        onData: (chunk) => chunks.push(Buffer.from(chunk)) > 0,
        onEnd: () => settle(status),
        onError(error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
    const timer = setTimeout(() => {
      call.abort();
      reject(new Error(`${pool.name} did not answer ${method} ${target} within ${timeoutMs} ms`));
    }, timeoutMs);
  });
}

function headerLines(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at + 1 < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}
