import assert from 'node:assert/strict';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { atOncePace } from '#shared/registry/pace.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { AuthenticationError } from './contract/authenticator.ts';
import { createAuthentication, type Authentication, type AuthenticationOptions } from './create-authenticator.ts';
import { tokenReview } from './reviews/authentication-reviews.ts';
import { openidHandlers } from './service-account/openid-discovery.ts';
import { keySigner, ServiceAccountTokens } from './service-account/service-account-tokens.ts';
import { readSigningKey } from './service-account/signing-keys.ts';
import { plainAuthentication, plainDependencies } from './testing/authentication-options.ts';
import { FakeBoundObjects } from './testing/fake-bound-objects.ts';

const folder = mkdtempSync(join(tmpdir(), 'authn-'));
const issuer = 'https://kubernetes.default.svc.cluster.local';
const objects = new FakeBoundObjects();
const saFile = join(folder, 'sa.key');
let ca: TestCa;
let proxyCa: TestCa;
let ownCa: TestCa;
let options: AuthenticationOptions;
let authentication: Authentication;

before(async () => {
  ca = await createTestCa();
  proxyCa = await createTestCa('CN=proxies');
  ownCa = await createTestCa('CN=own');
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  file(
    'sa.key',
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  );
  options = {
    ...plainAuthentication,
    clientCaFile: file('ca.crt', ca.cert),
    ownClientCaFiles: [file('own.crt', ownCa.cert)],
    requestheaderClientCaFile: file('proxy.crt', proxyCa.cert),
    requestheaderAllowedNames: ['front-proxy'],
    requestheaderUsernameHeaders: ['X-Remote-User'],
    requestheaderGroupHeaders: ['X-Remote-Group'],
    requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
    serviceAccountIssuer: [issuer],
    serviceAccountKeyFile: [saFile],
    tokenAuthFile: file('tokens.csv', 'tok-admin,admin,u1,"system:masters"\ntok-bob,bob,u2,"dev,ops"\n'),
  };
  authentication = createAuthentication(options, plainDependencies(objects));
  objects.put('serviceaccounts', { metadata: { name: 'default', namespace: 'c11', uid: 'sa-uid' } });
  objects.put('pods', { metadata: { name: 'p', namespace: 'c11', uid: 'pod-uid' } });
});

after(() => rmSync(folder, { recursive: true }));

/** What a client sends. */
function sent(...pems: string[]): readonly Buffer[] {
  return pems.map((pem) => new X509Certificate(pem).raw);
}

async function who(headers: Record<string, string>, certificates?: readonly Buffer[]): Promise<unknown> {
  const exchange = { headers, peerCertificates: () => certificates } as unknown as Exchange;
  try {
    return (await authentication.authenticator.authenticate(exchange))?.user;
  } catch (error) {
    assert.ok(error instanceof AuthenticationError, String(error));
    return error.message;
  }
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

describe('client certificates', () => {
  test('give user name, groups and credential id', async () => {
    const { cert } = await ca.issue('CN=alice, O=dev, O=ops');
    const shown = sent(cert);
    const id = `X509SHA256=${new X509Certificate(cert).fingerprint256.replaceAll(':', '').toLowerCase()}`;
    assert.deepEqual(await who({}, shown), {
      name: 'alice',
      uid: '',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [id] },
    });
    assert.equal(await who({}, shown), await who({}, shown), 'the same connection gives the same user object');
  });

  test('are refused when of another authority, for servers or expired', async () => {
    const other = await (await createTestCa('CN=test-ca')).issue('CN=alice');
    const server = await ca.issue('CN=alice', 'server');
    const old = await ca.issue('CN=alice', 'client', new Date(Date.now() - 3_600_000));
    for (const { cert } of [other, server, old]) assert.match(String(await who({}, sent(cert))), /x509/);
  });

  test('are accepted from authorities of the data directory, which are not published', async () => {
    const { cert } = await ownCa.issue('CN=admin, O=system:masters');
    assert.deepEqual(((await who({}, sent(cert))) as { groups: readonly string[] }).groups, [
      'system:masters',
      'system:authenticated',
    ]);
    assert.equal(authentication.clientCa?.pem, ca.cert.endsWith('\n') ? ca.cert : `${ca.cert}\n`);
  });
});

describe('createAuthentication', () => {
  test('accepts tokens of the token file, rejects others, and takes requests without one as anonymous', async () => {
    assert.deepEqual(await who(bearer('tok-bob')), {
      name: 'bob',
      uid: 'u2',
      groups: ['dev', 'ops', 'system:authenticated'],
      extra: {},
    });
    assert.equal(await who(bearer('bad')), 'invalid bearer token');
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { authorization: 'Bearer' }]) {
      assert.deepEqual(await who(headers), {
        name: 'system:anonymous',
        uid: '',
        groups: ['system:unauthenticated'],
        extra: {},
      });
    }
  });

  test('leaves requests without credentials unauthenticated under AlwaysAllow', async () => {
    for (const authorizationMode of [[], ['AlwaysAllow'], ['RBAC', 'AlwaysAllow']]) {
      const { authenticator } = createAuthentication({ ...options, authorizationMode }, plainDependencies(objects));
      assert.equal(
        await authenticator.authenticate({ headers: {}, peerCertificates: () => undefined } as unknown as Exchange),
        undefined,
      );
    }
  });

  test('accepts identity headers only from a front proxy with an allowed certificate', async () => {
    const headers = { 'x-remote-user': 'zoe', 'x-remote-group': 'g', 'x-remote-extra-a%2fb': 'v' };
    const proxy = sent((await proxyCa.issue('CN=front-proxy')).cert);
    assert.deepEqual(await who(headers, proxy), {
      name: 'zoe',
      uid: '',
      groups: ['g', 'system:authenticated'],
      extra: Object.assign(Object.create(null), { 'a/b': ['v'] }),
    });
    const stranger = sent((await proxyCa.issue('CN=else')).cert);
    assert.match(String(await who(headers, stranger)), /subject with cn=else is not in the allowed list/);
    assert.deepEqual(((await who(headers)) as { name: string }).name, 'system:anonymous');
  });

  test('accepts a service account token until it expires or its pod or account is gone', async () => {
    const tokens = new ServiceAccountTokens(issuer, keySigner(readSigningKey(saFile)));
    const order = {
      namespace: 'c11',
      serviceAccount: { name: 'default', uid: 'sa-uid' },
      audiences: [issuer],
      expirationSeconds: 600,
    };
    const { token, claims } = await tokens.issue({
      ...order,
      pod: { name: 'p', uid: 'pod-uid' },
      node: { name: 'n', uid: 'node-uid' },
    });
    assert.deepEqual(Object.keys(claims), ['aud', 'exp', 'iat', 'iss', 'jti', 'kubernetes.io', 'nbf', 'sub']);
    assert.deepEqual(await who(bearer(token)), {
      name: 'system:serviceaccount:c11:default',
      uid: 'sa-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:c11', 'system:authenticated'],
      extra: {
        'authentication.kubernetes.io/credential-id': [`JTI=${claims.jti ?? ''}`],
        'authentication.kubernetes.io/node-name': ['n'],
        'authentication.kubernetes.io/node-uid': ['node-uid'],
        'authentication.kubernetes.io/pod-name': ['p'],
        'authentication.kubernetes.io/pod-uid': ['pod-uid'],
      },
    });
    assert.equal(
      await who(bearer((await tokens.issue({ ...order, pod: { name: 'gone', uid: 'x' } })).token)),
      'service account token has been invalidated',
    );
    assert.equal(
      await who(bearer((await tokens.issue({ ...order, serviceAccount: { name: 'default', uid: 'other' } })).token)),
      'service account UID (sa-uid) does not match claim (other)',
    );
    assert.equal(
      await who(bearer((await tokens.issue(order, Date.now() - 3_600_000)).token)),
      'service account token has expired',
    );
    const [head = '', body = ''] = token.split('.');
    assert.equal(await who(bearer(`${head}.${body}.AAAA`)), 'go-jose/go-jose: error in cryptographic primitive');
  });
});

describe('tokenReview', () => {
  test('returns audiences and errors as the reference does', async () => {
    const review = tokenReview(authentication.tokens, authentication.apiAudiences, true);
    const context = {
      user: { name: '', uid: '', groups: [], extra: {} },
      namespace: '',
      dryRun: false,
      subresource: '',
      addWarning: () => undefined,
      pace: atOncePace,
      nowMs: 0,
    };
    const status = async (spec: Record<string, string | string[]>): Promise<unknown> =>
      (await review(asKubeObject({ metadata: {}, spec }), context))['status'];
    assert.deepEqual(await status({ token: 'tok-bob' }), {
      authenticated: true,
      user: { username: 'bob', uid: 'u2', groups: ['dev', 'ops', 'system:authenticated'] },
      audiences: [issuer],
    });
    assert.deepEqual(await status({ token: 'bad' }), { user: {}, error: 'invalid bearer token' });
    assert.deepEqual(await status({ token: 'tok-bob', audiences: ['x'] }), { user: {}, error: 'invalid bearer token' });
    const tokens = new ServiceAccountTokens(issuer, keySigner(readSigningKey(saFile)));
    const { token } = await tokens.issue({
      namespace: 'c11',
      serviceAccount: { name: 'default', uid: 'sa-uid' },
      audiences: ['other'],
      expirationSeconds: 600,
    });
    assert.deepEqual(await status({ token }), {
      user: {},
      error: `[invalid bearer token, token audiences ["other"] is invalid for the target audiences ["${issuer}"]]`,
    });
  });
});

describe('openidHandlers', () => {
  test("serve the issuer's configuration and its public keys", () => {
    let text = '';
    const { configuration, jwks } = openidHandlers(
      issuer,
      'https://h/openid/v1/jwks',
      authentication.serviceAccountKeys,
    );
    const context = { exchange: { send: (_status: number, _headers: unknown, body: string) => void (text = body) } };
    void configuration(context as never);
    assert.equal(
      text,
      `{"issuer":"${issuer}","jwks_uri":"https://h/openid/v1/jwks","response_types_supported":["id_token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["RS256"]}`,
    );
    void jwks(context as never);
    assert.deepEqual(Object.keys(JSON.parse(text).keys[0]), ['use', 'kty', 'kid', 'alg', 'n', 'e']);
  });
});
