import { request } from 'node:https';

/** How the server reaches the API that it extends. */
export interface ApiAccess {
  /** `https://host:port`. */
  readonly url: string;
  readonly ca: string | Buffer;
  /** Of the server's service account. */
  readonly token: string;
}

/** One call with a JSON body and answer. Rejects for any other code than 200 and 201. */
export function callApi<Answer>(
  { url, ca, token }: ApiAccess,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    };
    const outgoing = request(new URL(path, url), { method, ca, headers, timeout: 10_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (more: string) => {
        text += more;
      });
      response.on('end', () => {
        if (response.statusCode === 200 || response.statusCode === 201) resolve(JSON.parse(text) as Answer);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error(`${method} ${path}: no answer`)));
    outgoing.on('error', reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
