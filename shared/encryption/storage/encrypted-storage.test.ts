import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Revealed, ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';
import type {
  Storage,
  StorageEvent,
  StorageWatchHandlers,
  StoredKeyValue,
  TransactionOp,
} from '#shared/storage/storage.ts';
import { EncryptedStorage } from './encrypted-storage.ts';
import { ValueCipher } from './value-cipher.ts';

const secret = '/secrets/default/a';
const range = '/ranges/serviceips';

/** Reverses values; `wait:` at their beginning makes it wait, `bad:` fail, `old:` is stale. */
class Reversal implements ValueTransformer {
  readonly keys: string[] = [];
  waiting = Promise.withResolvers<void>();

  fromStorage(stored: Uint8Array, key: string): Revealed | Promise<Revealed> {
    this.keys.push(key);
    const text = Buffer.from(stored.toReversed()).toString();
    if (text.startsWith('bad:')) throw new Error('wrong key');
    const revealed = { value: Buffer.from(text), isStale: text.startsWith('old:') };
    return text.startsWith('wait:') ? this.waiting.promise.then(() => revealed) : revealed;
  }

  toStorage(plain: Uint8Array): Uint8Array {
    return Buffer.from(plain.toReversed());
  }
}

const reversed = (text: string): Buffer => Buffer.from(Buffer.from(text).toReversed());

function kvOf(key: string, text: string, modRevision = 1): StoredKeyValue {
  return { key, value: reversed(text), createRevision: 1, modRevision, lease: '' };
}

describe('EncryptedStorage', () => {
  let transformer: Reversal;
  let written: [key: string, value: string][];
  let stored: StoredKeyValue[];
  let upstream: StorageWatchHandlers | undefined;
  let storage: EncryptedStorage;

  beforeEach(() => {
    transformer = new Reversal();
    [written, stored, upstream] = [[], [], undefined];
    const write = async (key: string, value: Uint8Array): Promise<{ ok: true; revision: number }> => {
      written.push([key, Buffer.from(value).toString()]);
      return { ok: true, revision: 7 };
    };
    const inner: Partial<Storage> = {
      get: async (key) => ({ kv: stored.find((kv) => kv.key === key) as StoredKeyValue, revision: 7 }),
      list: async () => ({ items: stored, revision: 7, count: stored.length, more: false }),
      create: write,
      compareAndSwap: (key, _revision, value) => write(key, value),
      transact: async (ops: readonly TransactionOp[]) => {
        for (const { key, value = Buffer.from('-') } of ops) await write(key, value);
        return { ok: true, revision: 7 };
      },
      watch(_prefix, _from, handlers) {
        upstream = handlers;
        return { isOpen: true, close: () => undefined };
      },
    };
    const cipher = new ValueCipher({
      prefix: '/registry/',
      resourceOf: (key) => (key.startsWith('/secrets/') ? { group: '', resource: 'secrets' } : undefined),
      transformerOf: () => transformer,
    });
    storage = new EncryptedStorage(inner as Storage, cipher);
  });

  test('writes values of resources encrypted, and others as they are', async () => {
    await storage.create(secret, Buffer.from('abc'));
    await storage.compareAndSwap(secret, 1, Buffer.from('def'));
    await storage.transact([
      { key: secret, value: Buffer.from('ghi') },
      { key: range, value: Buffer.from('jkl') },
      { key: '/secrets/default/b' },
    ]);
    assert.deepEqual(written, [
      [secret, 'cba'],
      [secret, 'fed'],
      [secret, 'ihg'],
      [range, 'jkl'],
      ['/secrets/default/b', '-'],
    ]);
  });

  test('reads values by their whole key, and says which are stale', async () => {
    stored = [kvOf(secret, 'old:abc')];
    const { kv } = await storage.get(secret);
    assert.equal(Buffer.from(kv?.value ?? []).toString(), 'old:abc');
    assert.equal(kv?.isStale, true);
    assert.deepEqual(transformer.keys, ['/registry/secrets/default/a']);
  });

  test('fails a read of a value that cannot be decrypted, with its revision', async () => {
    stored = [kvOf(secret, 'abc'), kvOf('/secrets/default/b', 'bad:abc', 5)];
    await assert.rejects(storage.get('/secrets/default/b'), {
      name: 'UnreadableError',
      code: 'Unreadable',
      key: '/secrets/default/b',
      storedKey: '/registry/secrets/default/b',
      revision: 5,
      message: 'wrong key',
    });
    await assert.rejects(storage.list('/secrets/'), {
      message: 'unable to transform key "/registry/secrets/default/b": wrong key',
    });
    const { items } = await storage.list('/secrets/', { keepsUnreadable: true });
    assert.deepEqual(
      items.map(({ failure }) => failure?.message),
      [undefined, 'wrong key'],
    );
  });

  test('delivers events in order while one of them has to wait', async () => {
    const seen: string[] = [];
    const all = Promise.withResolvers<void>();
    const log = (line: string): void => {
      seen.push(line);
      if (seen.length === 4) all.resolve();
    };
    storage.watch('/secrets/', 1, {
      onEvents: (events, revision) => log(`${events.map(textOf).join(' ')} @${revision}`),
      onProgress: (revision) => log(`progress @${revision}`),
      onError: (error) => log(error.code),
    });
    upstream?.onEvents([put('a', 'abc', 1)], 1);
    assert.deepEqual(seen, ['abc @1']);
    upstream?.onEvents([put('a', 'wait:1', 2), put('b', 'bad:2', 2)], 2);
    upstream?.onEvents([put('a', 'def', 3), { type: 'delete', key: secret, revision: 3 }], 3);
    upstream?.onProgress(3);
    assert.equal(seen.length, 1);
    transformer.waiting.resolve();
    await all.promise;
    assert.deepEqual(seen.slice(1), ['wait:1 wrong key @2', 'def deleted @3', 'progress @3']);
    upstream?.onProgress(4);
    await new Promise(setImmediate);
    assert.equal(seen.at(-1), 'progress @4');
  });

  test('delivers nothing after the watch was closed', async () => {
    const watch = storage.watch('/secrets/', 1, {
      onEvents: () => assert.fail('an event was delivered'),
      onProgress: () => assert.fail('progress was delivered'),
      onError: () => assert.fail('an error was delivered'),
    });
    upstream?.onEvents([put('a', 'wait:1', 2)], 2);
    upstream?.onProgress(2);
    watch.close();
    transformer.waiting.resolve();
    await new Promise(setImmediate);
  });

  test('does not decrypt what it wrote itself', async () => {
    const seen: string[] = [];
    storage.watch('/secrets/', 1, {
      onEvents: (events) => seen.push(...events.map(textOf)),
      onProgress: () => undefined,
      onError: () => undefined,
    });
    await storage.compareAndSwap(secret, 1, Buffer.from('abc'));
    upstream?.onEvents([put('a', 'abc', 7)], 7);
    assert.deepEqual([seen, transformer.keys.length], [['abc'], 0]);
    upstream?.onEvents([put('a', 'xyz', 8)], 8);
    assert.deepEqual([seen, transformer.keys.length], [['abc', 'xyz'], 1]);
  });
});

function put(name: string, text: string, revision: number): StorageEvent {
  return { type: 'put', kv: kvOf(`/secrets/default/${name}`, text, revision) };
}

function textOf(event: StorageEvent): string {
  if (event.type === 'delete') return 'deleted';
  return event.kv.failure?.message ?? Buffer.from(event.kv.value).toString();
}
