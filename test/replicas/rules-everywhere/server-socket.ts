import { request } from 'node:http';
import { encodeIdentity } from '#shared/authentication/hop-identity.ts';

/** What came of a request: the code and text of an answer. */
export interface Outcome {
  readonly status: number;
  readonly text: string;
}

/** A write. */
export interface Write {
  readonly method: 'DELETE' | 'PATCH' | 'POST';
  readonly path: string;
  readonly type: string;
  readonly body: object;
}

/** Writes at the socket of a server, as soon as its process listens: no gateway waits until it is ready. */
export function writeAtSocket(socketPath: string, { method, path, type, body }: Write): Promise<Outcome> {
  const identity = encodeIdentity({ name: 'system:apiserver', uid: '', groups: ['system:masters'], extra: {} });
  const headers = ['host', 'localhost', 'content-type', type, ...identity];
  return new Promise((resolve, reject) => {
    request({ socketPath, path, method, agent: false, setHost: false, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (more: string) => (text += more));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text })).on('error', reject);
    })
      .on('error', reject)
      .end(JSON.stringify(body));
  });
}
