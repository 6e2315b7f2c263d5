import { request } from 'node:https';
import { adminToken } from '#test/tokens.ts';

/** How long tokens live that are asked for so many seconds, and what is said on it. */
export async function askExpiry(url: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const seconds of [599, 600, 3600, 5399, 5400, 5401, 7200, 2 ** 32, 2 ** 32 + 1])
    found.set(`a token of ${seconds} s`, await ask(url, seconds));
  return found;
}

function ask(url: string, expirationSeconds: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' };
    request(
      new URL('/api/v1/namespaces/default/serviceaccounts/default/token', url),
      { method: 'POST', headers, rejectUnauthorized: false },
      (answer) => {
        let body = '';
        answer
          .setEncoding('utf8')
          .on('data', (more: string) => (body += more))
          .on('end', () => resolve(`${answer.statusCode} ${answer.headers['warning'] ?? ''} ${lifeOf(body)}`));
      },
    )
      .on('error', reject)
      .end(
        JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds } }),
      );
  });
}

function lifeOf(body: string): string {
  const { message, spec, status } = JSON.parse(body) as {
    message?: string;
    spec?: { expirationSeconds: number };
    status?: { token: string };
  };
  if (spec === undefined || status === undefined) return message ?? '';
  const { exp = 0, iat = 0 } = JSON.parse(Buffer.from(status.token.split('.')[1] ?? '', 'base64url').toString()) as {
    exp?: number;
    iat?: number;
  };
  return `spec ${spec.expirationSeconds}, token ${exp - iat}`;
}
