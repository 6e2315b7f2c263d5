import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { systemId, tipTrustedMs, type TipOffer } from './tip-offer.ts';
import { TipReader } from './tip-reader.ts';
import { TipRecord } from './tip-record.ts';

const isLinux = process.platform === 'linux';

/** A file as a store writes it, and a reader whose clock stands. */
function setUp(t: TestContext): {
  readonly path: string;
  readonly offer: TipOffer;
  readonly reader: TipReader;
  readonly clock: { now: number; after?: number };
  readonly write: (revision: number) => void;
} {
  const folder = mkdtempSync(join(tmpdir(), 'tip-'));
  const path = join(folder, 'store.tip');
  const nonce = Buffer.alloc(16, 'n');
  const record = new TipRecord();
  writeFileSync(path, '');
  const { dev: device, ino: inode } = statSync(path, { bigint: true });
  record.setOwner({ device, inode }, nonce);
  const write = (revision: number): void => {
    record.setRevision(revision, true);
    writeFileSync(path, record.bytes, { flag: 'r+' });
  };
  write(7);
  const clock: { now: number; after?: number } = { now: 1_000 };
  const reader = new TipReader(() => {
    const { now } = clock;
    clock.now = clock.after ?? now;
    return now;
  });
  t.after(() => {
    reader.close();
    rmSync(folder, { recursive: true });
  });
  const offer = { path, device: String(device), inode: String(inode), nonce, system: systemId() };
  return { path, offer, reader, clock, write };
}

describe('TipReader', { skip: !isLinux && 'only Linux names its boots' }, () => {
  test('reads what the store writes, for a time from the request that the store answered', (t) => {
    const { offer, reader, clock, write } = setUp(t);
    assert.equal(reader.newest(), undefined);
    reader.take(offer, 1_000);
    assert.equal(reader.newest(), 7);
    write(8);
    assert.equal(reader.newest(), 8);
    clock.now = 1_000 + tipTrustedMs;
    assert.equal(reader.newest(), undefined);
    reader.take(offer, clock.now);
    assert.equal(reader.newest(), 8);
  });

  test('does not believe what it read when its process was stopped around the read', (t) => {
    const { offer, reader, clock } = setUp(t);
    reader.take(offer, 1_000);
    clock.after = 1_000 + tipTrustedMs;
    assert.equal(reader.newest(), undefined);
  });

  test('asks after a loss of the connection, until the next answer', (t) => {
    const { offer, reader } = setUp(t);
    reader.take(offer, 1_000);
    reader.distrust();
    assert.equal(reader.newest(), undefined);
    reader.take(offer, 1_000);
    assert.equal(reader.newest(), 7);
  });

  test('asks after the store withdrew its offer', (t) => {
    const { offer, reader } = setUp(t);
    reader.take(offer, 1_000);
    reader.take(undefined, 1_000);
    assert.equal(reader.newest(), undefined);
  });

  test('asks where the file is another one: of another system, copied, of another process, or missing', (t) => {
    const { path, offer, reader } = setUp(t);
    for (const other of [
      { ...offer, system: 'another' },
      { ...offer, system: '' },
      { ...offer, nonce: Buffer.alloc(16, 'm') },
      { ...offer, device: '1' },
      { ...offer, path: `${path}-missing` },
    ]) {
      reader.take(other, 1_000);
      assert.equal(reader.newest(), undefined);
    }
    copyFileSync(path, `${path}-copy`);
    renameSync(`${path}-copy`, path);
    reader.take(offer, 1_000);
    assert.equal(reader.newest(), undefined);
  });

  test('asks where the revision is half-written or cut off', (t) => {
    const { path, offer, reader } = setUp(t);
    reader.take(offer, 1_000);
    writeFileSync(path, Buffer.from([1]), { flag: 'r+' });
    assert.equal(reader.newest(), undefined);
    writeFileSync(path, '');
    assert.equal(reader.newest(), undefined);
  });
});
