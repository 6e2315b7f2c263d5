import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openPackedFiles, packFiles } from './packed-files.ts';

describe('packed files', () => {
  test('are read by their names after the file is gone, however long they are', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'packed-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const texts = new Map([
      ['types/core', '{\n "a": "ä\\n" }'],
      ['long', JSON.stringify('x'.repeat(700_000))],
      ['empty', '{}'],
    ]);
    const path = join(folder, 'pack');
    packFiles(path, texts);
    const read = openPackedFiles(path);
    rmSync(folder, { recursive: true });
    for (const [name, text] of texts) assert.deepEqual(JSON.parse(read(name) ?? 'null'), JSON.parse(text));
    assert.equal(read('missing'), undefined);
  });
});
