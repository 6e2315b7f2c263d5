import { request } from 'node:https';
import { adminToken } from '#test/tokens.ts';
import type { Question } from './questions.ts';

export interface FileAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Of each answer, whatever it is. */
const always: ReadonlySet<string> = new Set(['date', 'connection', 'audit-id', 'keep-alive']);

/** Sends the path byte by byte as it is, on a connection of its own. */
export function ask(url: string, folder: string, question: Question): Promise<FileAnswer> {
  const { hostname, port } = new URL(url);
  const { path, method = 'GET', headers = {}, token = adminToken } = question;
  return new Promise((resolve, reject) => {
    const sent = request({
      hostname,
      port,
      method,
      path: `/logs${path.replaceAll('{folder}', folder)}`,
      headers: { ...(token === '' ? {} : { authorization: `Bearer ${token}` }), ...headers },
      rejectUnauthorized: false,
      agent: false,
    });
    sent.on('error', reject).on('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject).on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: comparableHeaders(answer.headers),
          body: Buffer.concat(chunks).toString('latin1'),
        }),
      );
    });
    sent.end();
  });
}

function comparableHeaders(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => !always.has(name) && !name.startsWith('x-kubernetes-pf-'))
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}
