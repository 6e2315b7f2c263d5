import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { AuthenticationError, type AuthenticationResult, type RequestAuthenticator } from './contract/authenticator.ts';
import { anonymous, authenticatedGroupAdder, unionAuthenticator, withAnonymous } from './union.ts';

const exchange = {} as Exchange;
const result = (name: string, groups: readonly string[] = []): AuthenticationResult => ({
  user: { name, uid: '', groups, extra: {} },
});
const answering = (answer: AuthenticationResult | undefined): RequestAuthenticator => ({ authenticate: () => answer });
const failing = (message: string, later = false): RequestAuthenticator => ({
  authenticate: () => {
    if (later) return Promise.reject(new AuthenticationError(message));
    throw new AuthenticationError(message);
  },
});

describe('unionAuthenticator', () => {
  test('returns the first user found, whatever failed before', async () => {
    const union = unionAuthenticator([
      failing('a'),
      failing('b', true),
      answering(undefined),
      answering(result('alice')),
    ]);
    assert.equal((await union.authenticate(exchange))?.user.name, 'alice');
  });

  test('throws the errors together when no authenticator knows the client', async () => {
    const ask = async (...all: RequestAuthenticator[]): Promise<unknown> =>
      unionAuthenticator(all).authenticate(exchange);
    await assert.rejects(ask(failing('a')), { message: 'a' });
    // k8s.io/apimachinery/pkg/util/errors, aggregate.Error
    await assert.rejects(ask(failing('a'), answering(undefined), failing('b', true)), { message: '[a, b]' });
    assert.equal(await ask(answering(undefined)), undefined);
  });

  test('throws an error other than AuthenticationError at once', async () => {
    const broken: RequestAuthenticator = {
      authenticate: () => {
        throw new TypeError('a bug');
      },
    };
    await assert.rejects(
      async () => unionAuthenticator([broken, answering(result('alice'))]).authenticate(exchange),
      TypeError,
    );
  });
});

describe('authenticatedGroupAdder', () => {
  test('adds system:authenticated once, and returns the same object for the same user', async () => {
    const user = result('alice', ['dev']);
    const adder = authenticatedGroupAdder(answering(user));
    const [first, second] = [await adder.authenticate(exchange), await adder.authenticate(exchange)];
    assert.deepEqual(first?.user.groups, ['dev', 'system:authenticated']);
    assert.equal(first?.user, second?.user);
    for (const groups of [['system:authenticated'], ['system:unauthenticated']])
      assert.deepEqual(
        (await authenticatedGroupAdder(answering(result('bob', groups))).authenticate(exchange))?.user.groups,
        groups,
      );
  });
});

describe('withAnonymous', () => {
  test('returns the anonymous user for a request without credentials, and throws for a bad credential', async () => {
    assert.equal(await withAnonymous(answering(undefined)).authenticate(exchange), anonymous);
    await assert.rejects(async () => withAnonymous(failing('a')).authenticate(exchange), { message: 'a' });
  });

  test('returns the anonymous user for the given paths only, however they are spelled', async () => {
    const some = withAnonymous(answering(undefined), new Set(['/livez']));
    const at = async (path: string): Promise<unknown> => await some.authenticate({ path } as Exchange);
    assert.equal(await at('/livez'), anonymous);
    assert.equal(await at('/live%7a'), anonymous);
    for (const path of ['/readyz', '/livez/', '/livez/ping', '/LIVEZ', '/livez%00'])
      assert.equal(await at(path), undefined);
  });
});
