import { request } from 'node:https';

/** Watches, calls `change` once the answer has begun, and resolves to the first event after that. */
export function firstEvent(url: string, path: string, token: string, change: () => Promise<unknown>): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const target = `${url}${path}?watch=true&timeoutSeconds=20`;
  const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
  const outgoing = request(target, { agent: false, rejectUnauthorized: false, headers }, (answer) => {
    let text = '';
    answer.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      if (!text.includes('\n')) return;
      resolve(text.slice(0, text.indexOf('\n')));
      outgoing.destroy();
    });
    answer.on('end', () => resolve(text));
    change().catch(reject);
  });
  outgoing.on('error', reject);
  outgoing.end();
  return promise;
}
