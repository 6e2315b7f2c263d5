import { request } from 'node:https';

export interface Question {
  /** Default: GET. */
  readonly method?: string;
  readonly path: string;
  /** Default: none. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly object?: unknown;
}

export interface PeerAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly etag: string;
  readonly text: string;
}

/** One request on a connection of its own; the server's certificate is not looked at. */
export function ask(url: string, { method = 'GET', path, token, headers, object }: Question): Promise<PeerAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PeerAnswer>();
  const body = object === undefined ? undefined : JSON.stringify(object);
  const outgoing = request(
    url + path,
    {
      method,
      agent: false,
      rejectUnauthorized: false,
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    },
    (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          contentType: answer.headers['content-type'] ?? '',
          etag: answer.headers.etag ?? '',
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    },
  );
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
