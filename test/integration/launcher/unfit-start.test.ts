import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { prepareFolder } from '#servers/launcher/prepare.ts';
import { startFailure } from '#servers/store/start-failure.ts';
import { startStore } from '#servers/store/start/start-store.ts';
import { withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { copyFolder, cutLog, judgeLine, unfitForLauncher, unfitForStore, unwritableFolder } from './unfit-cases.ts';
import type { UnfitCase } from './unfit-cases.ts';

// What whole processes say of these cases: test/e2e/npm-start/unfit-starts.ts.
const folder = mkdtempSync(join(tmpdir(), 'unfit-start-'));
const [whole, killed] = [join(folder, 'whole'), join(folder, 'killed')];

async function prepare(dataDir: string, flags: readonly string[]): Promise<void> {
  const parsed = parseServerOptions(['--data-dir', dataDir, ...flags]);
  assert.deepEqual(parsed.errors, []);
  await prepareFolder('keys', withDataDirectoryDefaults(parsed.options, parsed.given), parsed.given);
}

before(async () => {
  await prepare(whole, []);
  const socketPath = join(folder, 'socket');
  const store = await startStore({ dataDir: join(whole, 'store'), listenUnixSocket: socketPath });
  const etcd = new FrameTransport({ socketPath });
  for (let i = 0; i < 50; i++)
    await etcd.unary('KV/Put', { key: Buffer.from(`/registry/${i}`), value: Buffer.alloc(500, i) });
  copyFolder(whole, killed);
  await etcd.close();
  await store.close();
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function refusalOf(unfit: UnfitCase, image: string, start: (dataDir: string) => Promise<unknown>): Promise<void> {
  const dataDir = join(folder, 'case');
  copyFolder(image, dataDir);
  try {
    unfit.spoil(dataDir);
    const line = await start(dataDir).then(
      () => 'it started',
      (error: unknown) => startFailure(error, join(dataDir, 'store')).reason,
    );
    assert.equal(judgeLine(line, unfit, dataDir), '');
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

describe('refused start', () => {
  for (const unfit of unfitForLauncher) {
    test(`tells file, cause and remedy in one line when ${unfit.name}`, () =>
      refusalOf(unfit, whole, (dataDir) =>
        prepare(
          join(dataDir, unfit.dataDir ?? ''),
          (unfit.flags ?? []).map((flag) => flag.replace('%', dataDir)),
        ),
      ));
  }
  for (const unfit of [...unfitForStore, cutLog]) {
    test(`tells file, cause and remedy in one line when ${unfit.name}`, () =>
      refusalOf(unfit, unfit === cutLog ? killed : whole, async (dataDir) =>
        (await startStore({ dataDir: join(dataDir, 'store') })).close(),
      ));
  }

  test('tells file, cause and remedy in one line when a folder is not writable', async () => {
    const unwritable =
      /\/sys\/quarterdeck (may not be (used|changed) by this user|lies on a file system that is mounted read-only|does not exist): .+, or name another/;
    await assert.rejects(prepare(unwritableFolder, []), unwritable);
    await assert.rejects(startStore({ dataDir: unwritableFolder }), unwritable);
  });
});

describe('prepareFolder', () => {
  test('restores a missing public key from the private key, and changes nothing else', async () => {
    const dataDir = join(folder, 'case');
    copyFolder(whole, dataDir);
    const read = (name: string): string => readFileSync(join(dataDir, 'pki', name), 'utf8');
    const [key, publicKey] = [read('sa.key'), read('sa.pub')];
    rmSync(join(dataDir, 'pki', 'sa.pub'));
    await prepare(dataDir, []);
    assert.deepEqual([read('sa.key'), read('sa.pub')], [key, publicKey]);
    rmSync(dataDir, { recursive: true, force: true });
  });
});
