import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { describe, test } from 'node:test';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import type { CallApi } from './api-access.ts';
import { delegatedAuthentication } from './delegated-authentication.ts';
import { delegatedAuthorizer } from './delegated-authorizer.ts';

/** The API that is extended: answers `answer`, and keeps what it was sent. */
function api(answer: unknown): { readonly call: CallApi; readonly sent: unknown[][] } {
  const sent: unknown[][] = [];
  const call = async (...request: unknown[]): Promise<unknown> => {
    sent.push(request);
    return answer;
  };
  return { call: call as CallApi, sent };
}

const attributes: AuthorizerAttributes = {
  user: { name: 'alice', uid: 'u', groups: ['dev'], extra: { a: ['b'] } },
  verb: 'get',
  resourceRequest: true,
  apiGroup: 'fruits.example',
  apiVersion: 'v1',
  resource: 'fruits',
  subresource: 'status',
  namespace: 'ns',
  name: 'f',
  path: '/apis/fruits.example/v1/namespaces/ns/fruits/f/status',
};

describe('delegatedAuthorizer', () => {
  test("sends every attribute of the request in a SubjectAccessReview, and returns the API's decision", async () => {
    const { call, sent } = api({ status: { allowed: true, reason: 'a role' } });
    assert.deepEqual(await delegatedAuthorizer(call).authorize(attributes), { decision: 'allow', reason: 'a role' });
    assert.deepEqual(sent, [
      [
        'POST',
        '/apis/authorization.k8s.io/v1/subjectaccessreviews',
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: {
            user: 'alice',
            uid: 'u',
            groups: ['dev'],
            extra: { a: ['b'] },
            resourceAttributes: {
              verb: 'get',
              group: 'fruits.example',
              version: 'v1',
              resource: 'fruits',
              subresource: 'status',
              namespace: 'ns',
              name: 'f',
            },
          },
        },
      ],
    ]);
  });

  test('sends nonResourceAttributes for a path that is no resource', async () => {
    const { call, sent } = api({ status: { allowed: false } });
    const answer = await delegatedAuthorizer(call).authorize({
      ...attributes,
      resourceRequest: false,
      path: '/metrics',
    });
    assert.equal(answer.decision, 'noOpinion');
    const [, , review] = sent[0] as [string, string, { readonly spec: object }];
    assert.deepEqual((review.spec as Record<string, unknown>)['nonResourceAttributes'], {
      verb: 'get',
      path: '/metrics',
    });
  });

  test('returns deny, not noOpinion, when the review is denied', async () => {
    const { call } = api({ status: { allowed: false, denied: true, reason: 'no' } });
    assert.deepEqual(await delegatedAuthorizer(call).authorize(attributes), { decision: 'deny', reason: 'no' });
  });

  test('allows system:masters without a review', async () => {
    const { call, sent } = api(undefined);
    const user = { ...attributes.user, groups: ['system:masters'] };
    assert.equal((await delegatedAuthorizer(call).authorize({ ...attributes, user })).decision, 'allow');
    assert.deepEqual(sent, []);
  });
});

describe('delegatedAuthentication', () => {
  test("accepts identity headers only with a proxy certificate of the ConfigMap's authority and names", async () => {
    const ca = await createTestCa('CN=proxies');
    const data = {
      'requestheader-client-ca-file': ca.cert,
      'requestheader-allowed-names': '["front-proxy"]',
      'requestheader-username-headers': '["X-Remote-User"]',
      'requestheader-group-headers': '["X-Remote-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    };
    const { call, sent } = api({ data });
    const { authenticator, clientCa } = await delegatedAuthentication(call);
    assert.deepEqual(sent, [['GET', '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication']]);
    assert.equal(clientCa, ca.cert);
    const who = async (subject: string, issuer = ca): Promise<unknown> => {
      const { cert } = await issuer.issue(subject);
      const exchange = {
        headers: { 'x-remote-user': 'alice', 'x-remote-group': 'dev' },
        peerCertificates: () => [new X509Certificate(cert).raw],
      };
      return (await authenticator.authenticate(exchange as unknown as Exchange))?.user;
    };
    assert.deepEqual(await who('CN=front-proxy'), {
      name: 'alice',
      uid: '',
      groups: ['dev', 'system:authenticated'],
      extra: { __proto__: null },
    });
    await assert.rejects(who('CN=other'), /is not in the allowed list/);
    await assert.rejects(who('CN=front-proxy', await createTestCa('CN=proxies')), /x509/);
  });

  test('rejects the start when the ConfigMap has no client authorities', async () => {
    await assert.rejects(delegatedAuthentication(api({}).call), /missing content for CA bundle/);
  });
});
