import { request } from 'node:https';

export interface Answer {
  readonly status: number;
  /** Of those that are compared, the ones that are there. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const compared = ['content-type', 'x-content-type-options', 'cache-control', 'content-length', 'allow', 'location'];

/** One request on a connection of its own; the server's certificate is not looked at. */
export function ask(url: string, token: string | undefined, method: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const outgoing = request(url, { method, agent: false, rejectUnauthorized: false, headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('error', reject);
    answer.on('end', () =>
      resolve({
        status: answer.statusCode ?? 0,
        headers: Object.fromEntries(
          compared.flatMap((name) => (answer.headers[name] === undefined ? [] : [[name, answer.headers[name]]])),
        ),
        text: Buffer.concat(chunks).toString('utf8'),
      }),
    );
  });
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}
