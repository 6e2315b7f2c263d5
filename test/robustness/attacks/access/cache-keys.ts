import assert from 'node:assert/strict';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { joinedKey, TupleMap } from '#shared/apimachinery/tuple-map.ts';
import type { AuthenticationResult } from '#shared/authentication/contract/authenticator.ts';
import { encodeIdentity, decodeIdentity } from '#shared/authentication/hop-identity.ts';
import { cachedTokenAuthenticator } from '#shared/authentication/token-cache/cached-token-authenticator.ts';
import type { Authorization } from '#shared/authorization/contract/authorizer.ts';
import { objectKey } from '#shared/authorization/node/node-uses.ts';
import { RbacAuthorizer } from '#shared/authorization/rbac/rbac-authorizer.ts';
import { RbacPolicy } from '#shared/authorization/rbac/rbac-policy.ts';
import { NodeFakeCaches } from '#shared/authorization/testing/fake-caches.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { hostilePair, isSame, seeded, type Question } from './hostile-questions.ts';

const group = 'rbac.authorization.k8s.io';

/** Rules by which half of the questions that are drawn are allowed, and what their texts could be moved to is not. */
const rules = [
  { verbs: ['*'], nonResourceURLs: ['*'] },
  { verbs: ['get', 'list', 'a'], apiGroups: ['', 'a'], resources: ['pods', 'a', 'pods/a', '*/0'] },
  { verbs: ['bind'], apiGroups: [group], resources: ['*'], resourceNames: ['a', 'kube-system'] },
  { verbs: ['*'], apiGroups: ['*'], resources: ['users'] },
];

/**
 * Puts pairs of questions to every cache whose key a client chooses: the second is answered as if the first had never
 * been asked. Returns how many pairs were different questions.
 */
export async function checkCacheKeys(pairs: number, seed: number): Promise<number> {
  const random = seeded(seed);
  const authorizer = await createRbac();
  let different = 0;
  for (let at = 0; at < pairs; at++) {
    const [first, second] = hostilePair(random);
    const describePair = (): string => `pair ${at} of seed ${seed}: ${JSON.stringify([first, second])}`;
    checkDecision(authorizer, first, second, describePair);
    checkTexts(first, second, describePair);
    // Some hashes and headers a pair: these caches are looked into less often.
    if (at % 16 === 0) checkTokens(first, second, describePair);
    if (at % 16 === 1) checkIdentity(first, second, describePair);
    if (!isSame(first, second)) different++;
  }
  return different;
}

async function createRbac(): Promise<RbacAuthorizer> {
  const caches = new NodeFakeCaches();
  caches.put(group, 'clusterroles', asKubeObject({ kind: 'ClusterRole', metadata: { name: 'some' }, rules }));
  caches.put(
    group,
    'clusterrolebindings',
    asKubeObject({
      kind: 'ClusterRoleBinding',
      metadata: { name: 'some' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: 'some' },
      subjects: [{ kind: 'User', name: 'bob', apiGroup: group }],
    }),
  );
  const policy = new RbacPolicy(caches);
  await policy.ready();
  return new RbacAuthorizer(policy);
}

const newBob = (): UserInfo => ({ name: 'bob', uid: '', groups: [], extra: {} });

/** Decisions are kept by user object, so that a new one has none. */
function checkDecision(
  authorizer: RbacAuthorizer,
  first: Question,
  second: Question,
  describePair: () => string,
): void {
  const user = newBob();
  void authorizer.authorize({ ...first, user });
  const kept = authorizer.authorize({ ...second, user }) as Authorization;
  const fresh = authorizer.authorize({ ...second, user: newBob() }) as Authorization;
  if (kept.decision !== fresh.decision) assert.fail(`decided by another question: ${describePair()}`);
}

function checkTexts(first: Question, second: Question, describePair: () => string): void {
  const [a, b] = [partsOf(first), partsOf(second)];
  const same = a.every((part, at) => part === b[at]);
  const map = new TupleMap<true>(a.length);
  map.set(a, true);
  if (same !== (map.get(b) === true)) assert.fail(`a tuple is found by another: ${describePair()}`);
  if (same !== (joinedKey(a) === joinedKey(b))) assert.fail(`two lists have one key: ${describePair()}`);
  const sameObject = first.namespace === second.namespace && first.name === second.name;
  if (
    sameObject !==
    (objectKey('secrets', first.namespace, first.name) === objectKey('secrets', second.namespace, second.name))
  )
    assert.fail(`two objects have one key: ${describePair()}`);
}

const partsOf = ({ verb, apiGroup, resource, subresource, namespace, name, path }: Question): string[] => [
  verb,
  apiGroup,
  resource,
  subresource,
  namespace,
  name,
  path,
];

/** Tells what it was asked; the cache in front of it is one for all pairs, and full of those that came before. */
const tokens = cachedTokenAuthenticator(
  { authenticateToken: (token, audiences) => ({ user: { ...newBob(), name: JSON.stringify([token, audiences]) } }) },
  { acceptedMs: 60_000 },
);

/** A token and the audiences that are wanted of it. */
function checkTokens(first: Question, second: Question, describePair: () => string): void {
  for (const { verb, name, path } of [first, second]) {
    const audiences = path === '' ? [name] : [name, path];
    const answer = tokens.authenticateToken(verb, audiences) as AuthenticationResult;
    if (answer.user.name !== JSON.stringify([verb, audiences]))
      assert.fail(`a token is good for what another was: ${describePair()}`);
  }
}

/**
 * What is decoded behind the hop is who was encoded, whoever came before. Controls cannot stand in headers, and the
 * gateway refuses them.
 */
function checkIdentity(first: Question, second: Question, describePair: () => string): void {
  for (const question of [first, second]) {
    const [name = '', uid = '', ...more] = partsOf(question).map((part) =>
      part
        .toWellFormed()
        .replaceAll(/[^\x20-\x7e\x80-\uffff]/g, '_')
        .trim(),
    );
    const user: UserInfo = {
      name: `u${name}`,
      uid,
      groups: more.slice(0, 2),
      extra: { [`k${more[2] ?? ''}`]: more.slice(3) },
    };
    const decoded = decodeIdentity({ headers: {}, rawHeaders: encodeIdentity(user) } as unknown as Exchange);
    if (JSON.stringify(decoded?.user) !== JSON.stringify(user))
      assert.fail(`${JSON.stringify(decoded)} came of ${JSON.stringify(user)}: ${describePair()}`);
  }
}
