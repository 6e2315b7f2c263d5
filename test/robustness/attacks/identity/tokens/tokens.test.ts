import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import { createAuthentication } from '#shared/authentication/create-authenticator.ts';
import { tokenReview } from '#shared/authentication/reviews/authentication-reviews.ts';
import { plainAuthentication, plainDependencies } from '#shared/authentication/testing/authentication-options.ts';
import { FakeBoundObjects } from '#shared/authentication/testing/fake-bound-objects.ts';
import { atOncePace } from '#shared/registry/pace.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { TokenAnswer } from './ask.ts';
import { tokenCases } from './cases.ts';

const recorded = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('gen/tokens.json', import.meta.url), 'utf8')) as Record<string, TokenAnswer>,
  ),
);
const folder = mkdtempSync(join(tmpdir(), 'attack-tokens-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const issuer = 'https://kubernetes.default.svc.cluster.local';
const uid = 'd0c0ffee-0000-4000-8000-000000000000';

function trusted(name: string, key: KeyObject): string {
  const path = join(folder, name);
  writeFileSync(path, createPublicKey(key).export({ type: 'spki', format: 'pem' }));
  return path;
}

describe('bearer tokens', () => {
  test('get the status and TokenReview of kube-apiserver for every malformed shape', async () => {
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const p256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const stranger = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const objects = new FakeBoundObjects();
    objects.put('serviceaccounts', { metadata: { name: 'default', namespace: 'default', uid } });
    const authentication = createAuthentication(
      {
        ...plainAuthentication,
        serviceAccountIssuer: [issuer],
        serviceAccountKeyFile: [trusted('rsa', rsa), trusted('p256', p256), trusted('p384', p384)],
      },
      plainDependencies(objects),
    );
    const review = tokenReview(authentication.tokens, authentication.apiAudiences, authentication.letsAnonymousIn);
    const context = {
      user: { name: '', uid: '', groups: [], extra: {} },
      namespace: '',
      dryRun: false,
      subresource: '',
      addWarning: () => undefined,
      pace: atOncePace,
      nowMs: 0,
    };
    const statusOf = async (token: string): Promise<number> => {
      try {
        await authentication.authenticator.authenticate({
          headers: { authorization: `Bearer ${token}` },
          peerCertificates: () => undefined,
        } as unknown as Exchange);
        return 201;
      } catch (error) {
        if (error instanceof AuthenticationError) return 401;
        throw error;
      }
    };
    const differences: unknown[] = [];
    const cases = tokenCases({ rsa, p256, p384, stranger, issuer, uid, nowSeconds: Math.floor(Date.now() / 1000) });
    for (const { name, token } of cases) {
      const there = recorded.get(name);
      const reviewStatus = (await review(asKubeObject({ metadata: {}, spec: { token } }), context))['status'];
      const here: TokenAnswer = {
        status: there?.status === 0 ? 0 : await statusOf(token),
        review: JSON.stringify(reviewStatus).replaceAll(uid, 'UID'),
      };
      if (here.status !== there?.status || !sameReview(here.review, there.review))
        differences.push({ name, here, there });
    }
    assert.deepEqual(differences, []);
    assert.ok(cases.length > 300 && cases.length === recorded.size);
  });
});

function sameReview(one: string, other: string): boolean {
  try {
    assert.deepEqual(JSON.parse(one), JSON.parse(other));
    return true;
  } catch {
    return false;
  }
}
