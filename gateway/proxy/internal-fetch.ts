import { Buffer } from 'node:buffer';
import { encodeIdentity, ownIdentity } from '#shared/authentication/hop-identity.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import type { BackendPool } from './backend-pool.ts';
import { pickOrRefuse } from './pick-backend.ts';

export interface Fetched {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  readonly body: Buffer;
}

const identity = linesOf(encodeIdentity(ownIdentity.user));

export interface FetchConditions {
  readonly accept: string;
  /** The ETag of the known document, for `If-None-Match`: the answer is a 304 if it is unchanged. */
  readonly etag?: string | undefined;
}

const timeoutMs = 10_000;

/**
 * Sends the gateway's own GET to a backend, for documents that the gateway merges. Throws 503 if no backend is
 * available.
 */
export async function internalFetch(
  pool: BackendPool,
  target: string,
  { accept, etag }: FetchConditions,
): Promise<Fetched> {
  const backend = pickOrRefuse(pool, undefined);
  return await new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let status = 0;
    let headers: OutgoingHeaders = {};
    const condition = etag === undefined ? '' : `if-none-match: ${etag}\r\n`;
    const call = backend.transport.forward(
      {
        method: 'GET',
        target,
        ownLines: '',
        sharedLines: `host: localhost\r\naccept: ${accept}\r\n${condition}${identity}`,
        body: undefined,
      },
      {
        onWhole: (code, heads, body) => settle({ status: code, headers: heads, body: Buffer.from(body ?? []) }),
        onHead: (code, heads) => {
          status = code;
          headers = heads;
        },
        onData: (chunk) => {
          chunks.push(chunk);
          return true;
        },
        onEnd: () => settle({ status, headers, body: Buffer.concat(chunks) }),
        onError: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
    const timer = setTimeout(() => {
      call.abort();
      reject(new Error(`${pool.name} did not answer ${target} within ${timeoutMs} ms`));
    }, timeoutMs);
    const settle = (fetched: Fetched): void => {
      clearTimeout(timer);
      resolve(fetched);
    };
  });
}

function linesOf(headers: readonly string[]): string {
  let lines = '';
  for (let at = 0; at + 1 < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`;
  return lines;
}
