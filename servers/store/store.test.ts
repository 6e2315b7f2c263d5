import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { FrameTransport } from '../../shared/storage/etcd-wire/frame-transport.ts';
import { startStore } from './start-store.ts';

test('smoke', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  const socketPath = join(folder, 's');
  const store = await startStore({ dataDir: folder, listenUnixSocket: socketPath });
  const transport = new FrameTransport({ socketPath });
  t.after(async () => {
    await transport.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  const put = await transport.unary('KV/Put', { key: Buffer.from('a'), value: Buffer.from('b') });
  assert.equal(put.header?.revision, 2);
  const range = await transport.unary('KV/Range', { key: Buffer.from('a') });
  assert.equal(range.kvs[0]?.value.toString(), 'b');
});
