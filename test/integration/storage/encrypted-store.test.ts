import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { startStore, type RunningStore } from '#servers/store/start/start-store.ts';
import type { ValueTransformer } from '#shared/encryption/contract/value-transformer.ts';
import {
  aesCbcTransformer,
  aesGcmTransformer,
  secretboxTransformer,
} from '#shared/encryption/providers/local-transformers.ts';
import { EncryptedStorage } from '#shared/encryption/storage/encrypted-storage.ts';
import { ValueCipher } from '#shared/encryption/storage/value-cipher.ts';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import type { Storage } from '#shared/storage/storage.ts';
import { storageContract } from '#shared/storage/testing/storage-contract.ts';
import { watchCacheContract } from '#shared/watchcache/testing/watch-cache-contract.ts';

const key = Buffer.alloc(32, 'k');
const secretWords = 'words-that-nobody-may-read';
const configMaps = { group: '', resource: 'configmaps' };
const providers: readonly (readonly [name: string, transformer: ValueTransformer])[] = [
  ['aescbc', aesCbcTransformer(key)],
  ['aesgcm', aesGcmTransformer(key)],
  ['secretbox', secretboxTransformer(key)],
];

/** Answers with promises, as a KMS does. */
function waiting(transformer: ValueTransformer): ValueTransformer {
  return {
    fromStorage: async (stored, at) => {
      await new Promise(setImmediate);
      return transformer.fromStorage(stored, at);
    },
    toStorage: async (plain, at) => transformer.toStorage(plain, at),
  };
}

let directory: Promise<string> | undefined;
let running: Promise<RunningStore> | undefined;
let prefixes = 0;

async function store(): Promise<RunningStore> {
  directory ??= mkdtemp(join(tmpdir(), 'quarterdeck-encrypted-'));
  const dataDir = await directory;
  running ??= startStore({ dataDir, listenUnixSocket: join(dataDir, 'store.sock') });
  return running;
}

async function plainStorage(prefix = `/test-${prefixes++}`): Promise<Storage> {
  return createStorage({ framesSocketPath: (await store()).socketPath, prefix });
}

async function encrypted(transformer: ValueTransformer, prefix = `/test-${prefixes++}`): Promise<Storage> {
  const cipher = new ValueCipher({ prefix, resourceOf: () => configMaps, transformerOf: () => transformer });
  return new EncryptedStorage(await plainStorage(prefix), cipher);
}

after(async () => {
  await (await running)?.close();
  if (directory !== undefined) await rm(await directory, { recursive: true });
});

for (const [name, transformer] of providers) storageContract(`store with ${name}`, () => encrypted(transformer));
const [, [, gcm]] = providers as [unknown, readonly [string, ValueTransformer]];
storageContract('store with a provider that waits', () => encrypted(waiting(gcm)));
watchCacheContract('store with a provider that waits', () => encrypted(waiting(gcm)));

describe('encrypted store', () => {
  test('holds no value in the clear, with any provider', async () => {
    for (const [name, transformer] of providers) {
      const storage = await encrypted(transformer);
      await storage.create(`/configmaps/default/${name}`, Buffer.from(`${secretWords} ${name}`));
      const { kv } = await storage.get(`/configmaps/default/${name}`);
      assert.equal(Buffer.from(kv?.value ?? []).toString(), `${secretWords} ${name}`);
      await storage.close();
    }
    const folder = await directory;
    const files = (await readdir(folder ?? '')).filter((file) => file.startsWith('store.db'));
    assert.ok(files.length > 0);
    for (const file of files)
      assert.equal((await readFile(join(folder ?? '', file))).includes(secretWords), false, file);
  });

  test('refuses a value that was copied to another key, with AES-GCM', async () => {
    const prefix = `/test-${prefixes++}`;
    const [storage, raw] = [await encrypted(gcm, prefix), await plainStorage(prefix)];
    await storage.create('/configmaps/default/a', Buffer.from('a'));
    const { kv } = await raw.get('/configmaps/default/a');
    await raw.create('/configmaps/default/b', kv?.value ?? Buffer.of());
    await assert.rejects(storage.get('/configmaps/default/b'), { code: 'Unreadable' });
    await Promise.all([storage.close(), raw.close()]);
  });
});
