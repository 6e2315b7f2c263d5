// What `kubectl oidc-login get-token` does, as an exec credential plugin: prints the token that is kept, a refreshed
// one, or one after a login in $BROWSER. Keeps tokens in $LOGIN_CACHE; trusts the authority in $NODE_EXTRA_CA_CERTS.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { CodeFlow, type Tokens } from '#test/oidc/code-flow.ts';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    'oidc-issuer-url': { type: 'string', default: '' },
    'oidc-client-id': { type: 'string', default: '' },
    'oidc-extra-scope': { type: 'string', multiple: true, default: [] },
  },
});
const cache = process.env['LOGIN_CACHE'] ?? '';
const flow = new CodeFlow({
  issuer: values['oidc-issuer-url'],
  clientId: values['oidc-client-id'],
  scopes: ['openid', ...values['oidc-extra-scope']],
  ca: readFileSync(process.env['NODE_EXTRA_CA_CERTS'] ?? '', 'utf8'),
});

function expiryOf(token: string): number {
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { exp: number };
  return claims.exp * 1000;
}

/** Waits on a port of this machine for the browser, which the provider sends back here. */
async function logIn(): Promise<Tokens> {
  const answered = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    response.end('You may close this window.');
    answered.resolve(`http://127.0.0.1${request.url}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const browser = spawn(process.env['BROWSER'] ?? '', [await flow.authorizationUrl(redirectUri)], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  browser.once('exit', (code) => {
    if (code !== 0) answered.reject(new Error('the browser did not log in'));
  });
  try {
    return await flow.redeem(await answered.promise, redirectUri);
  } finally {
    server.close();
  }
}

async function currentTokens(): Promise<Tokens> {
  if (!existsSync(cache)) return logIn();
  const kept = JSON.parse(readFileSync(cache, 'utf8')) as Tokens;
  if (expiryOf(kept.id_token) > Date.now()) return kept;
  return kept.refresh_token === undefined ? logIn() : { ...kept, ...(await flow.refresh(kept.refresh_token)) };
}

const tokens = await currentTokens();
writeFileSync(cache, JSON.stringify(tokens), { mode: 0o600 });
console.log(
  JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: tokens.id_token, expirationTimestamp: new Date(expiryOf(tokens.id_token)).toISOString() },
  }),
);
