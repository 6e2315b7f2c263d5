import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, test } from 'node:test';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { asKubeObject } from '#shared/apimachinery/object.ts';
import { MemoryStorage } from '#shared/watchcache/testing/memory-storage.ts';
import { BootstrapSecrets } from './bootstrap-secrets.ts';
import { BootstrapTokenAuthenticator } from './bootstrap-token-authenticator.ts';

/** What upstream's authenticator said (test/recorders/operator-tokens). */
interface Recorded {
  readonly secret?: JsonObject;
  readonly token: string;
  readonly audiences?: readonly string[];
  readonly verdict: { readonly user?: string; readonly groups?: readonly string[]; readonly audiences?: string[] };
}

const recorded = JSON.parse(
  readFileSync(new URL('testdata/verdicts.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

const key = '/secrets/kube-system/bootstrap-token-abcdef';
const token = 'abcdef.0123456789abcdef';
const closing: { close(): void }[] = [];

function open(storage: MemoryStorage): BootstrapTokenAuthenticator {
  const decode = (value: Uint8Array): ReturnType<typeof asKubeObject> =>
    asKubeObject(JSON.parse(Buffer.from(value).toString()) as JsonObject);
  const secrets = new BootstrapSecrets({ storage, decode, reportError: () => {} });
  closing.push(secrets);
  return new BootstrapTokenAuthenticator({ secrets, apiAudiences: ['api', 'own'], note: () => {} });
}

function bytes(value: JsonObject | undefined): Buffer {
  return Buffer.from(JSON.stringify(value));
}

afterEach(() => {
  for (const one of closing.splice(0)) one.close();
});

/** Lets all turns run that storage takes to deliver a change. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe('BootstrapTokenAuthenticator', () => {
  test('says of secrets and tokens what upstream says', async () => {
    for (const { secret, token: asked, audiences = [], verdict } of recorded) {
      const storage = new MemoryStorage();
      if (secret !== undefined) await storage.create(key, bytes(secret));
      const answer = await open(storage).authenticateToken(asked, audiences);
      const seen = answer && {
        user: answer.user.name,
        groups: answer.user.groups,
        ...(audiences.length > 0 && { audiences: answer.audiences?.toSorted() }),
      };
      assert.deepEqual(seen ?? {}, verdict, JSON.stringify([secret, asked]));
    }
    assert.ok(recorded.length > 60);
  });

  test('follows secrets that are made, changed and deleted', async () => {
    const storage = new MemoryStorage();
    const authenticator = open(storage);
    const nameOf = async (): Promise<unknown> => (await authenticator.authenticateToken(token, []))?.user.name;
    assert.equal(await nameOf(), undefined);
    const good = recorded[0]?.secret;
    const { revision } = await storage.create(key, bytes(good));
    await settle();
    assert.equal(await nameOf(), 'system:bootstrap:abcdef');
    const [first, second] = [authenticator.authenticateToken(token, []), authenticator.authenticateToken(token, [])];
    assert.equal((await first)?.user, (await second)?.user, 'authorizers key their caches by the user');
    const changed = await storage.compareAndSwap(key, revision, bytes({ ...good, type: 'Opaque' }));
    await settle();
    assert.equal(await nameOf(), undefined);
    const mended = await storage.compareAndSwap(key, changed.revision, bytes(good));
    await settle();
    assert.equal(await nameOf(), 'system:bootstrap:abcdef');
    storage.breakWatches();
    await settle();
    await storage.compareAndDelete(key, mended.revision);
    await settle();
    assert.equal(await nameOf(), undefined);
  });
});
