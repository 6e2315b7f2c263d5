import { Buffer } from 'node:buffer';
import { Readable } from 'node:stream';
import { encodeIdentity, ownIdentity } from '#shared/authentication/hop-identity.ts';
import { StreamFlow } from '#shared/request/body-flow.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import type { BackendPool } from './backend-pool.ts';
import { pairLines } from './forwarded-headers.ts';
import { ForwardedBody } from './hop/request-body.ts';
import { pickOrRefuse } from './pick-backend.ts';

export interface Fetched {
  readonly status: number;
  readonly headers: OutgoingHeaders;
  readonly body: Buffer;
}

export interface FetchConditions {
  readonly accept: string;
  /** The ETag of the known document, for `If-None-Match`: the answer is a 304 if it is unchanged. */
  readonly etag?: string | undefined;
  /** How long the answer may take. Default: 10 s. */
  readonly patienceMs?: number;
}

export interface InternalAnswer {
  readonly status: number;
  /** Parsed JSON. */
  readonly body: unknown;
}

const timeoutMs = 10_000;
const identity = pairLines(encodeIdentity(ownIdentity.user));
const agent = 'user-agent: kube-apiserver\r\n';

/** Sends the gateway's own GET to a backend, for documents that the gateway merges. Rejects as {@link ask} does. */
export function internalFetch(pool: BackendPool, target: string, conditions: FetchConditions): Promise<Fetched> {
  const { accept, etag, patienceMs } = conditions;
  const condition = etag === undefined ? '' : `if-none-match: ${etag}\r\n`;
  return ask(pool, { method: 'GET', target, ownLines: '', lines: `accept: ${accept}\r\n${condition}`, patienceMs });
}

/** Sends the gateway's own request for objects of another server. Rejects as {@link ask} does. */
export async function internalSend(
  pool: BackendPool,
  method: string,
  target: string,
  object?: object,
): Promise<InternalAnswer> {
  const bytes = object === undefined ? undefined : Buffer.from(JSON.stringify(object));
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const ownLines = bytes === undefined ? '' : `content-type: ${type}\r\ncontent-length: ${bytes.length}\r\n`;
  const lines = `accept: application/json\r\n${agent}`;
  const { status, body } = await ask(pool, { method, target, ownLines, lines, bytes });
  const text = body.toString();
  return { status, body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text };
}

/** Sends the gateway's own request with text. Rejects as {@link ask} does. */
export function internalSendText(pool: BackendPool, method: string, target: string, text: string): Promise<Fetched> {
  const bytes = Buffer.from(text);
  const ownLines = `content-type: text/plain\r\ncontent-length: ${bytes.length}\r\n`;
  return ask(pool, { method, target, ownLines, lines: `accept: text/plain\r\n${agent}`, bytes });
}

interface InternalRequest {
  readonly method: string;
  readonly target: string;
  readonly ownLines: string;
  readonly lines: string;
  readonly bytes?: Buffer | undefined;
  readonly patienceMs?: number | undefined;
}

/**
 * Sends a request as `system:apiserver`, without retries, and collects the answer. Rejects with a 503 if no backend is
 * available, and with other errors if the answer does not come in time.
 */
async function ask(pool: BackendPool, request: InternalRequest): Promise<Fetched> {
  const { method, target, ownLines, lines, bytes, patienceMs = timeoutMs } = request;
  const backend = pickOrRefuse(pool, undefined);
  const body =
    bytes === undefined ? undefined : new ForwardedBody(new StreamFlow(Readable.from([bytes], { objectMode: false })));
  return await new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let head: Omit<Fetched, 'body'> = { status: 0, headers: {} };
    const done = (): void => {
      clearTimeout(timer);
      resolve({ ...head, body: Buffer.concat(chunks) });
    };
    const call = backend.transport.forward(
      { method, target, ownLines, sharedLines: `host: localhost\r\n${lines}${identity}`, body },
      {
        onWhole(status, headers, whole) {
          head = { status, headers };
          if (whole !== undefined) chunks.push(whole);
          done();
        },
        onHead: (status, headers) => void (head = { status, headers }),
        onData: (chunk) => chunks.push(chunk) > 0,
        onEnd: done,
        onError(error) {
          clearTimeout(timer);
          reject(error);
        },
      },
    );
    const timer = setTimeout(() => {
      call.abort();
      reject(new Error(`${pool.name} did not answer ${method} ${target} within ${patienceMs} ms`));
    }, patienceMs);
  });
}
