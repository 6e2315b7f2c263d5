import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { startStore } from '#servers/store/start/start-store.ts';
import type { RunningStore } from '#servers/store/start/start-store.ts';
import { createStorage } from '#shared/storage/create/create-storage.ts';
import { storageContract } from '#shared/storage/testing/storage-contract.ts';
import { watchCacheContract } from '#shared/watchcache/testing/watch-cache-contract.ts';

// One store for the file. Where a test wants empty keys it gets a prefix of its own.
let directory: Promise<string> | undefined;
let running: Promise<RunningStore> | undefined;
let prefixes = 0;

async function store(): Promise<RunningStore> {
  directory ??= mkdtemp(join(tmpdir(), 'quarterdeck-storage-'));
  const dataDir = await directory;
  running ??= startStore({
    dataDir,
    listenClientUrls: ['http://127.0.0.1:0'],
    listenUnixSocket: join(dataDir, 'store.sock'),
  });
  return running;
}

after(async () => {
  await (await running)?.close();
  if (directory !== undefined) await rm(await directory, { recursive: true });
});

const overFrames = async () =>
  createStorage({ framesSocketPath: (await store()).socketPath, prefix: `/test-${prefixes++}` });
const overGrpc = async () => createStorage({ endpoints: (await store()).clientUrls, prefix: `/test-${prefixes++}` });

storageContract('store over frames', overFrames);
storageContract('store over gRPC', overGrpc);
watchCacheContract('store over frames', overFrames);
watchCacheContract('store over gRPC', overGrpc);
