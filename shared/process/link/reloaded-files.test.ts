import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { ReloadedFiles } from './reloaded-files.ts';

const folder = mkdtempSync(join(tmpdir(), 'reloaded-files-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const paths = { ca: join(folder, 'ca.crt'), cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
const [ca, otherCa] = [await createTestCa(), await createTestCa('CN=other')];
const [one, two] = [await ca.issue('CN=one'), await ca.issue('CN=two')];

function open(errors: string[] = []): ReloadedFiles<'ca' | 'cert' | 'key'> {
  writeFileSync(paths.ca, ca.cert);
  writeFileSync(paths.cert, one.cert);
  writeFileSync(paths.key, one.key);
  return new ReloadedFiles(paths, ({ message }) => errors.push(message));
}

function texts({ current }: ReloadedFiles<'ca' | 'cert' | 'key'>): Record<string, string> {
  return Object.fromEntries(Object.entries(current).map(([name, content]) => [name, String(content)]));
}

describe('ReloadedFiles', () => {
  test('switches to a new pair once key and certificate match, whichever is written first', () => {
    for (const [first, second] of [
      ['key', 'cert'],
      ['cert', 'key'],
    ] as const) {
      const files = open();
      let changes = 0;
      files.onChange(() => changes++);
      writeFileSync(paths[first], two[first]);
      files.refresh();
      assert.deepEqual([texts(files), changes], [{ ca: ca.cert, ...one }, 0]);
      writeFileSync(paths[second], two[second]);
      files.refresh();
      assert.deepEqual([texts(files), changes], [{ ca: ca.cert, ...two }, 1]);
      files.close();
    }
  });

  test('keeps the last good file when one is empty, malformed or missing, while other files still change', () => {
    const errors: string[] = [];
    const files = open(errors);
    for (const broken of ['', 'none', one.key.slice(0, 60)]) {
      writeFileSync(paths.key, broken);
      files.refresh();
      files.refresh();
      assert.deepEqual(texts(files), { ca: ca.cert, ...one });
    }
    rmSync(paths.key);
    writeFileSync(paths.ca, otherCa.cert);
    files.refresh();
    assert.deepEqual(texts(files), { ca: otherCa.cert, ...one });
    writeFileSync(paths.ca, 'none');
    files.refresh();
    assert.deepEqual(texts(files), { ca: otherCa.cert, ...one });
    assert.ok(errors.length >= 4 && errors.length <= 6, errors.join('\n'));
    assert.ok(
      errors.every((text) => text.includes(folder)),
      errors.join('\n'),
    );
    files.close();
  });

  test('throws at the start for files that cannot be used', () => {
    open().close();
    writeFileSync(paths.key, two.key);
    assert.throws(() => new ReloadedFiles(paths), /tls\.crt, .*tls\.key: /);
    writeFileSync(paths.ca, '');
    assert.throws(() => new ReloadedFiles({ ca: paths.ca }), /ca\.crt: /);
  });
});
