import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuthorizerChain, ChainBuilder } from './authorizer-chain.ts';
import { loadAuthorization, type LoadedAuthorizer } from './configuration/load-authorization.ts';
import type { Authorization } from './contract/authorizer.ts';
import { ask } from './rbac/testing/rbac-of-objects.ts';
import { ReloadedChain, type LoadAuthorizers } from './reloaded-chain.ts';
import { alwaysDeny } from './union.ts';

const first: readonly LoadedAuthorizer[] = [{ type: 'AlwaysDeny', name: 'alwaysdeny' }];
const load: LoadAuthorizers = (bytes, requiredTypes) =>
  loadAuthorization(bytes, { readsSelectors: true, requiredTypes });

function chainOf(answer: Authorization | Promise<Authorization>): AuthorizerChain {
  return { authorizer: { authorize: () => answer }, resolver: alwaysDeny, close: () => undefined };
}

function file(...types: readonly string[]): Buffer {
  const authorizers = types.map((type) => ({ type, name: type.toLowerCase() }));
  return Buffer.from(
    JSON.stringify({ apiVersion: 'apiserver.config.k8s.io/v1', kind: 'AuthorizationConfiguration', authorizers }),
  );
}

function builderOf(build: ChainBuilder['build']): ChainBuilder {
  return { build, close: () => undefined } as unknown as ChainBuilder;
}

describe('ReloadedChain', () => {
  test('answers a question that was asked before a reload by the chain of then', async () => {
    const slow = Promise.withResolvers<Authorization>();
    const chain = new ReloadedChain(chainOf(slow.promise), first);
    const asked = chain.authorize(ask({}));
    const next = builderOf(() => chainOf({ decision: 'allow', reason: 'after' }));
    assert.equal(await chain.replace(file('AlwaysAllow', 'AlwaysDeny'), load, next), true);
    assert.deepEqual(chain.authorize(ask({})), { decision: 'allow', reason: 'after' });
    slow.resolve({ decision: 'deny', reason: 'before' });
    assert.deepEqual(await asked, { decision: 'deny', reason: 'before' });
  });

  test('keeps the chain in effect where the next one is wrong, cannot be made, or means the same', async () => {
    const chain = new ReloadedChain(chainOf({ decision: 'deny', reason: 'kept' }), first);
    const broken = builderOf(() => {
      throw new Error('no kubeconfig');
    });
    await assert.rejects(chain.replace(Buffer.from('a: ['), load, broken));
    await assert.rejects(chain.replace(file('AlwaysAllow'), load, broken), /missing required types: \[AlwaysDeny\]/);
    await assert.rejects(chain.replace(file('AlwaysAllow', 'AlwaysDeny'), load, broken), /no kubeconfig/);
    assert.equal(await chain.replace(file('AlwaysDeny'), load, broken), false);
    assert.deepEqual(chain.authorize(ask({})), { decision: 'deny', reason: 'kept' });
  });
});
