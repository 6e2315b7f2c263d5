import { request } from 'node:https';

/** How an extension server reaches the API that it extends. */
export interface ApiAccess {
  /** `https://host:port`. */
  readonly url: string;
  readonly ca: string | Buffer;
  /** Token of the server's service account. */
  readonly token: string;
}

/** One call with a JSON body and answer. Rejects for any other code than 200 and 201. */
export type CallApi = <Answer>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

const answerMs = 10_000;

export function apiCaller({ url, ca, token }: ApiAccess): CallApi {
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'content-type': 'application/json' };
  return <Answer>(method: string, path: string, body?: unknown) =>
    new Promise<Answer>((resolve, reject) => {
      const outgoing = request(new URL(path, url), { method, ca, headers, timeout: answerMs }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(text) as Answer);
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path}: no answer in ${answerMs / 1000} s`)));
      outgoing.on('error', reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
}
