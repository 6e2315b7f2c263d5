import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { IdentityProvider, signedBy } from '#test/oidc/identity-provider.ts';
import { KeyServer } from '#test/oidc/key-server.ts';

export const accounts = {
  alice: { email: 'alice@example.org', email_verified: true, groups: ['dev', 'ops'], name: 'Alice' },
  bob: { email: 'bob@example.org', email_verified: false, groups: 'one', preferred_username: 'bob' },
  'system:admin': { email: 'root@example.org', groups: ['system:masters'] },
  nobody: {},
};

/** The issuers that both servers trust, and the configuration which says so. */
export interface Issuers {
  readonly keyServer: KeyServer;
  readonly provider: IdentityProvider;
  readonly keys: { readonly rsa: KeyObject; readonly p256: KeyObject; readonly p384: KeyObject };
  /** The URL of each issuer. */
  readonly urls: Readonly<Record<'plain' | 'rules' | 'email' | 'hidden', string>>;
  /** An AuthenticationConfiguration. */
  readonly configuration: JsonObject;
  readonly close: () => void;
}

export async function startIssuers(): Promise<Issuers> {
  const keyServer = await KeyServer.start();
  const provider = await IdentityProvider.start({ accounts });
  const keys = {
    rsa: generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    p256: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
    p384: generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey,
  };
  const published = { one: keys.rsa, two: keys.p256, three: keys.p384 };
  const urls = {
    plain: keyServer.publish('plain', published),
    rules: keyServer.publish('rules', published),
    email: keyServer.publish('email', published),
    hidden: keyServer.publish('hidden', published, 'https://issuer.example/hidden'),
  };
  const issuer = (url: string, ...audiences: string[]): JsonObject => ({
    url,
    audiences,
    certificateAuthority: keyServer.authority.ca,
    ...(audiences.length > 1 ? { audienceMatchPolicy: 'MatchAny' } : {}),
  });
  const configuration = {
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'AuthenticationConfiguration',
    anonymous: { enabled: true, conditions: [{ path: '/livez' }, { path: '/readyz' }, { path: '/version' }] },
    jwt: [
      {
        issuer: issuer(urls.plain, urls.plain),
        claimMappings: { username: { claim: 'sub', prefix: 'plain:' }, groups: { claim: 'groups', prefix: 'plain:' } },
      },
      { issuer: issuer(urls.rules, 'kubernetes', 'elsewhere'), ...rules },
      {
        issuer: issuer(urls.email, 'kubernetes'),
        claimMappings: {
          username: { claim: 'email', prefix: '' },
          groups: { claim: 'roles', prefix: '' },
          uid: { claim: 'uid' },
        },
        claimValidationRules: [{ claim: 'hd', requiredValue: 'example.org' }],
      },
      {
        issuer: {
          ...issuer(urls.hidden, 'kubernetes'),
          discoveryURL: `${keyServer.url}/hidden/.well-known/openid-configuration`,
        },
        claimMappings: { username: { claim: 'sub', prefix: 'hidden:' } },
      },
      {
        issuer: { ...issuer(provider.url, ...Object.values(signedBy)), certificateAuthority: provider.authority.ca },
        claimMappings: { username: { claim: 'sub', prefix: 'provider:' }, groups: { claim: 'groups', prefix: '' } },
      },
    ],
  };
  const close = (): void => {
    keyServer.close();
    provider.close();
  };
  return { keyServer, provider, keys, urls, configuration, close };
}

/** Everything that expressions may decide. */
const rules = {
  claimMappings: {
    username: { expression: 'claims.username + claims.?suffix.orValue("")' },
    groups: {
      expression: 'type(claims.?roles.orValue([])) == list ? claims.?roles.orValue([]) : claims.roles.split(",")',
    },
    uid: { expression: 'claims.?uid.orValue("")' },
    extra: [
      { key: 'example.org/tenant', valueExpression: 'claims.?tenant.orValue("")' },
      { key: 'example.org/scopes', valueExpression: 'claims.?scopes.orValue(null)' },
    ],
  },
  claimValidationRules: [
    { expression: 'claims.?level.orValue(1) < 5', message: 'the level is too high' },
    { expression: '!has(claims.sub) || claims.sub != "banned"' },
  ],
  userValidationRules: [
    { expression: "!user.username.startsWith('system:')", message: 'names of the system are reserved' },
    {
      expression: "user.groups.all(group, !group.startsWith('system:'))",
      message: 'groups of the system are reserved',
    },
    { expression: "user.uid != 'forbidden'" },
    {
      expression:
        "!has(user.extra) || !('example.org/tenant' in user.extra) || !('evil' in user.extra['example.org/tenant'])",
    },
  ],
};
