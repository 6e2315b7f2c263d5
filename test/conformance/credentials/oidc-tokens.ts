import { generateKeyPairSync } from 'node:crypto';
import { signToken } from '#test/oidc/sign-token.ts';
import { tokenCases } from '#test/robustness/attacks/identity/tokens/cases.ts';
import type { Credential } from './credential.ts';
import type { Issuers } from './issuers.ts';

type Claims = Readonly<Record<string, unknown>>;

/** ID tokens of issuers whose keys are here: of every algorithm, form and claim, mapped by claims and by rules. */
export function oidcCredentials({ keys, urls }: Issuers): Credential[] {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const times = { exp: nowSeconds + 3600, iat: nowSeconds };
  const of = (name: string, own: Claims, changes: Readonly<Record<string, Claims>>): Credential[] =>
    Object.entries(changes).map(([change, claims]) => ({
      name: `${name}: ${change}`,
      token: signToken(keys.rsa, { ...times, ...own, ...claims }),
    }));
  const shapes = tokenCases({ ...keys, stranger, issuer: urls.plain, uid: 'a-uid', nowSeconds });
  const rules = { iss: urls.rules, aud: 'kubernetes', sub: 'alice', username: 'alice' };
  const email = { iss: urls.email, aud: 'kubernetes', email: 'alice@example.org', hd: 'example.org', uid: '1' };
  return [
    ...shapes.map(({ name, token }) => ({ name: `OIDC: ${name}`, token })),
    ...of('groups', { iss: urls.plain, aud: urls.plain, sub: 'alice' }, groupClaims),
    ...of('rules', rules, ruledClaims),
    ...of('email', email, emailClaims),
    ...of('discovery', { iss: urls.hidden, sub: 'alice', aud: 'kubernetes' }, { 'another URL': {} }),
    ...of('mixed up', { aud: 'kubernetes', sub: 'alice', username: 'alice' }, mixedUp(urls)),
    ...Object.entries(keys).map(([name, key]) => ({
      name: `kid of another key than ${name}`,
      token: signToken(key, { ...times, ...rules }, { kid: name === 'rsa' ? 'two' : 'one' }),
    })),
    ...['one', 'two', 'ONE', 'unknown', '../keys', 'one\0', ''].map((kid) => ({
      name: `kid ${JSON.stringify(kid)}`,
      token: signToken(keys.rsa, { ...times, ...rules }, { kid }),
    })),
  ];
}

const values: readonly unknown[] = [
  null,
  '',
  'dev',
  'a,b',
  5,
  true,
  {},
  [],
  ['dev'],
  ['dev', 'ops'],
  [''],
  [5],
  ['a', null],
];

/** A claim in each type of JSON. */
function eachValue(claim: string): Record<string, Claims> {
  return Object.fromEntries(values.map((value) => [`${claim} ${JSON.stringify(value)}`, { [claim]: value }]));
}

const groupClaims = {
  ...eachValue('groups'),
  ...eachValue('_claim_names'),
  'groups of masters': { groups: ['system:masters'] },
  'groups twice the same': { groups: ['dev', 'dev'] },
  'names of distributed claims': { _claim_names: { groups: 'one' } },
  'names and no source': { _claim_names: { groups: 'one' }, _claim_sources: {} },
  'a source without an address': { _claim_names: { groups: 'one' }, _claim_sources: { one: { JWT: 'x' } } },
  'a source of another claim': { _claim_names: { roles: 'one' }, _claim_sources: { one: { endpoint: 'x' } } },
  'a source beside the claim': { groups: ['dev'], _claim_names: { groups: 'one' }, _claim_sources: 5 },
  'sources of another type': { _claim_names: { groups: 'one' }, _claim_sources: [] },
  'an empty sub': { sub: '' },
  'a sub of the system': { sub: 'system:admin' },
  'a long sub': { sub: 'x'.repeat(5000) },
  'an id': { jti: 'an-id' },
  'an id of another type': { jti: 5 },
  'an empty id': { jti: '' },
};

const ruledClaims = {
  ...eachValue('username'),
  ...eachValue('roles'),
  ...eachValue('uid'),
  ...eachValue('tenant'),
  ...eachValue('scopes'),
  ...eachValue('level'),
  'all of them': { roles: ['dev'], uid: '7', tenant: 'a', scopes: ['x', 'y'], suffix: '@x' },
  'both audiences': { aud: ['kubernetes', 'elsewhere'] },
  'the second audience': { aud: 'elsewhere' },
  'an audience of nobody': { aud: 'nobody' },
  'a level that is too high': { level: 5 },
  'a level of a fraction': { level: 4.5 },
  'a large level': { level: 1e300 },
  banned: { sub: 'banned' },
  'a name of the system': { username: 'system:admin' },
  'a name that a suffix completes': { username: 'system', suffix: ':admin' },
  'a group of the system': { roles: ['dev', 'system:masters'] },
  'a group of the system in a text': { roles: 'dev,system:masters' },
  'a forbidden uid': { uid: 'forbidden' },
  'an evil tenant': { tenant: 'evil' },
  'evil among tenants': { tenant: ['good', 'evil'] },
  'no username': { username: undefined },
  'an id': { jti: 'an-id' },
};

const emailClaims = {
  ...eachValue('email'),
  ...eachValue('email_verified'),
  ...eachValue('hd'),
  ...eachValue('roles'),
  ...eachValue('uid'),
  verified: { email_verified: true },
  'not verified': { email_verified: false },
  'verified, as a text': { email_verified: 'true' },
  'not verified, in capitals': { EMAIL_VERIFIED: false },
  'another host': { hd: 'example.org.evil.org' },
  'a host in capitals': { hd: 'EXAMPLE.ORG' },
  'no host': { hd: undefined },
  'no uid': { uid: undefined },
  'no email': { email: undefined },
  'an email of the system': { email: 'system:admin' },
  'a group of masters': { roles: ['system:masters'] },
};

function mixedUp(urls: Issuers['urls']): Record<string, Claims> {
  return {
    'the audience of another issuer': { iss: urls.plain },
    'both audiences': { iss: urls.plain, aud: ['kubernetes', urls.plain] },
    'the issuer as the audience of another': { iss: urls.rules, aud: urls.plain },
    'a slash behind the issuer': { iss: `${urls.rules}/` },
    'the issuer in capitals': { iss: urls.rules.toUpperCase() },
    'the address of the discovery': { iss: urls.rules.replace('rules', 'hidden') },
    'an issuer that nobody knows': { iss: `${urls.rules}x` },
    'http in place of https': { iss: urls.rules.replace('https', 'http') },
    'the issuer of Google': { iss: 'accounts.google.com' },
    'issuers in a list': { iss: [urls.rules] },
  };
}
