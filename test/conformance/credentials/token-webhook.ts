import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { createServerAuthority } from '#test/oidc/server-authority.ts';
import type { Credential } from './credential.ts';

const user = { username: 'alice', uid: '42', groups: ['dev', 'ops'] };
const said = (status: JsonObject): JsonObject => ({ status });
const yes = (more: JsonObject = {}, info: JsonObject = user): JsonObject =>
  said({ authenticated: true, user: info, ...more });

/** An answer that is no TokenReview. */
interface Whole {
  readonly code?: number;
  readonly text?: string;
}

/** What the webhook answers, by the tokens. */
const answers: Readonly<Record<string, JsonObject | Whole>> = {
  'a user': yes(),
  'a user without groups': yes({}, { username: 'alice' }),
  'an extra': yes({}, { ...user, extra: { scope: ['a', 'b'], Capital: ['c'], 'example.org/x': [] } }),
  'a group of masters': yes({}, { username: 'alice', groups: ['system:masters'] }),
  'a group twice': yes({}, { username: 'alice', groups: ['dev', 'dev', ''] }),
  'an own audience': yes({ audiences: ['kubernetes'] }),
  'another audience': yes({ audiences: ['elsewhere'] }),
  'an audience of nobody': yes({ audiences: ['nobody'] }),
  'all audiences': yes({ audiences: ['nobody', 'elsewhere', 'kubernetes'] }),
  'no audiences': yes({ audiences: [] }),
  'not authenticated': said({ authenticated: false }),
  'not authenticated, with a user': said({ authenticated: false, user }),
  'an error': said({ authenticated: false, error: 'the token is bad' }),
  'authenticated, with an error': yes({ error: 'the token is bad' }),
  'no status': {},
  'no user': said({ authenticated: true }),
  'a user without a name': yes({}, { username: '', groups: ['dev'] }),
  'the anonymous user': yes({}, { username: 'system:anonymous', groups: ['system:unauthenticated'] }),
  'an unknown field': yes({ more: 1 }),
  'another type of a field': said({ authenticated: 'true', user }),
  'another type of groups': yes({}, { username: 'alice', groups: 'dev' }),
  'another kind': { ...yes(), kind: 'SubjectAccessReview' },
  'another version': { ...yes(), apiVersion: 'authentication.k8s.io/v1beta1' },
  'another group of kinds': { ...yes(), apiVersion: 'v1', kind: 'Pod' },
  'a kind that nobody knows': { ...yes(), apiVersion: 'example.org/v1', kind: 'Thing' },
  'a kind without a version': { ...yes(), apiVersion: '', kind: 'TokenReview' },
  'no JSON': { code: 200, text: 'yes' },
  'an empty answer': { code: 200, text: '' },
  'a list': { code: 200, text: '[]' },
  created: {
    code: 201,
    text: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', ...yes() }),
  },
  'not found': { code: 404, text: 'not here' },
  'not allowed': { code: 401, text: 'who are you' },
  forbidden: { code: 403, text: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","code":403}' },
};

export interface TokenWebhook {
  /** A kubeconfig for `--authentication-token-webhook-config-file`. */
  readonly kubeconfig: string;
  readonly close: () => void;
}

const tokenOf = (name: string): string => `webhook-${name.replaceAll(/[^a-zA-Z]+/g, '-')}`;

export async function startTokenWebhook(): Promise<TokenWebhook> {
  const { ca, cert, key } = createServerAuthority();
  const byToken = new Map(Object.entries(answers).map(([name, answer]) => [tokenOf(name), answer]));
  const server = createServer({ cert, key }, (request, response) => {
    let text = '';
    request
      .setEncoding('utf8')
      .on('data', (more: string) => (text += more))
      .on('end', () => {
        const review = JSON.parse(text) as JsonObject;
        const token = isObject(review['spec']) ? String(review['spec']['token']) : '';
        const answer = byToken.get(token) ?? said({ authenticated: false });
        const { apiVersion = null, kind = null } = review;
        const { code = 200, text: whole = JSON.stringify({ apiVersion, kind, ...answer }) } = answer as Whole;
        response.writeHead(code, { 'content-type': 'application/json' }).end(whole);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const kubeconfig = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'webhook',
    contexts: [{ name: 'webhook', context: { cluster: 'webhook', user: '' } }],
    clusters: [
      {
        name: 'webhook',
        cluster: {
          server: `https://127.0.0.1:${(server.address() as AddressInfo).port}/review`,
          'certificate-authority-data': Buffer.from(ca).toString('base64'),
        },
      },
    ],
  });
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { kubeconfig, close };
}

export function webhookCredentials(): Credential[] {
  return ['a token that nobody knows', ...Object.keys(answers)].map((name) => ({
    name: `webhook: ${name}`,
    token: tokenOf(name),
  }));
}
