import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { dropCounts, idsOf, someEvent, temporaryFolder } from '#shared/audit/sinks/testing/sink-rig.ts';
import { eventLine } from '#shared/audit/sinks/writing/event-line.ts';
import { FileWriter, type FileWriterOptions } from './file-writer.ts';

let root: ReturnType<typeof temporaryFolder>;
let folder: string;
let count = 0;
before(() => (root = temporaryFolder()));
after(() => root.remove());
beforeEach(() => {
  folder = join(root.path, String(count++));
});

function writerOf(options: Partial<FileWriterOptions> = {}): { writer: FileWriter; drops: Record<string, number> } {
  const { counts, report } = dropCounts();
  const writer = new FileWriter({
    path: join(folder, 'audit.log'),
    format: 'json',
    maxBytes: 0,
    maxBackups: 0,
    maxAgeDays: 0,
    compresses: false,
    reportDrop: report,
    reportError: (message, error) => assert.fail(`${message}: ${String(error)}`),
    ...options,
  });
  return { writer, drops: counts };
}

function write(writer: FileWriter, ...ids: string[]): Promise<boolean> {
  return writer.write(ids.map((id) => writer.encode(someEvent(id))));
}

/** Files of the folder but for locks, with the ids that they hold. */
function written(): Record<string, string[]> {
  const names = readdirSync(folder).filter((name) => !name.startsWith('.'));
  return Object.fromEntries(
    names.toSorted().map((name) => {
      const bytes = readFileSync(join(folder, name));
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      assert.ok(text === '' || text.endsWith('\n'), name);
      return [name, idsOf(text.split('\n').slice(0, -1))];
    }),
  );
}

async function until(isSo: () => boolean): Promise<void> {
  for (const endMs = performance.now() + 20_000; !isSo(); await sleep(50)) assert.ok(performance.now() < endMs);
}

/** Of one event whose id has one letter, with its line feed. */
const lineBytes = eventLine(someEvent('a')).length + 1;

describe('FileWriter', () => {
  test('makes folder and file, and appends to what is there', async () => {
    for (const id of ['a', 'b']) {
      const { writer } = writerOf();
      assert.equal(await write(writer, id), true);
      await writer.close();
    }
    assert.deepEqual(written(), { 'audit.log': ['a', 'b'] });
  });

  test('renames a file that is full by the time, and never over another', async () => {
    const { writer } = writerOf({ maxBytes: 2 * lineBytes, now: () => Date.UTC(2026, 10, 28, 20, 4, 5, 6) });
    await write(writer, 'a', 'b', 'c', 'd', 'e');
    await writer.close();
    assert.deepEqual(written(), {
      'audit-2026-11-28T20-04-05.006.log': ['a', 'b'],
      'audit-2026-11-28T20-04-05.007.log': ['c', 'd'],
      'audit.log': ['e'],
    });
  });

  test('gives a line that is longer than a file may be a file of its own', async () => {
    const { writer, drops } = writerOf({ maxBytes: lineBytes - 1 });
    assert.equal(await write(writer, 'a', 'b'), true);
    await writer.close();
    assert.deepEqual(Object.values(written()), [['a'], ['b']]);
    assert.deepEqual(drops, {});
  });

  test('goes on in a new file when its own was moved away or its folder removed', async () => {
    const { writer } = writerOf({ checkEveryMs: 0 });
    await write(writer, 'a');
    renameSync(join(folder, 'audit.log'), join(folder, 'moved.log'));
    await write(writer, 'b');
    assert.deepEqual(written(), { 'audit.log': ['b'], 'moved.log': ['a'] });
    rmSync(folder, { recursive: true });
    assert.equal(await write(writer, 'c'), true);
    assert.deepEqual(written(), { 'audit.log': ['c'] });
    await writer.close();
  });

  test('keeps every line whole and once where several writers rotate one file', async () => {
    const pairs = [1, 2, 3].map(() => writerOf({ maxBytes: 100 * lineBytes, compresses: true, settleMs: 1000 }));
    await Promise.all(
      pairs.map(async ({ writer }, own) => {
        for (let at = 0; at < 1000; at++) await write(writer, `${own}-${at}`);
      }),
    );
    await until(() => readdirSync(folder).every((name) => !name.startsWith('audit-') || name.endsWith('.gz')));
    for (const { writer, drops } of pairs) {
      await writer.close();
      assert.deepEqual(drops, {});
    }
    const ids = Object.values(written()).flat();
    assert.equal(ids.length, 3000);
    assert.equal(new Set(ids).size, 3000);
  });

  test('counts what a device does not take', async () => {
    const { writer, drops } = writerOf({ path: '/dev/full' });
    assert.equal(await write(writer, 'a', 'b'), false);
    assert.deepEqual(drops, { 'log write_failed': 2 });
    await writer.close();
  });

  test('counts events without waiting for the reader of a pipe, and writes them once there is one', async () => {
    const { writer, drops } = writerOf();
    await write(writer, 'a');
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const { writer: toPipe, drops: dropped } = writerOf({ path });
    assert.equal(await write(toPipe, 'b'), false);
    assert.deepEqual(dropped, { 'log write_failed': 1 });
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    assert.equal(await write(toPipe, 'c'), true);
    const read = Buffer.alloc(1000);
    assert.deepEqual(idsOf([read.subarray(0, readSync(reader, read)).toString()]), ['c']);
    await toPipe.close();
    closeSync(reader);
    await writer.close();
    assert.deepEqual(drops, {});
  });

  test('gives up a pipe whose reader does not read at the end of the server', async () => {
    const { writer: first } = writerOf();
    await write(first, 'a');
    await first.close();
    const path = join(folder, 'pipe');
    execFileSync('mkfifo', [path]);
    const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const { writer, drops } = writerOf({ path });
    const result = write(writer, ...Array.from({ length: 1000 }, (_, at) => String(at)));
    await sleep(50);
    writer.hurry();
    assert.equal(await result, false);
    await writer.close();
    closeSync(reader);
    assert.deepEqual(drops, { 'log write_failed': 1000 });
    assert.ok(existsSync(path));
  });

  test('removes full files that are too many or too old', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    const now = (): number => (nowMs += 86_400_000);
    const { writer } = writerOf({ maxBytes: lineBytes, maxBackups: 2, now, settleMs: 50 });
    for (const id of ['a', 'b', 'c', 'd']) await write(writer, id);
    await until(() => Object.keys(written()).length === 3);
    assert.deepEqual(Object.values(written()), [['b'], ['c'], ['d']]);
    await writer.close();
    const { writer: later } = writerOf({
      maxBytes: lineBytes,
      maxAgeDays: 3,
      settleMs: 50,
      now: () => nowMs + 2 * 86_400_000,
    });
    await write(later, 'e');
    await until(() => !Object.values(written()).flat().includes('b'));
    await later.close();
  });
});
