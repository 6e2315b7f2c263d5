import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
import { codeCachePath, keepCodeCache } from './code-cache.ts';
import { loadBundle } from './load-bundle.ts';

/** A bundle as the build makes them. */
function bundle(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'bundle.js');
  writeFileSync(
    path,
    `(function (exports, require, module, __filename, __dirname, importMetaUrl) {
"use strict";
module.exports = { url: importMetaUrl, name: require('node:path').basename(__filename) };
})`,
  );
  return path;
}

describe('loadBundle', () => {
  test('returns the exports of a bundle that runs with the variables of a module', (t) => {
    const path = bundle(t);
    assert.deepEqual(loadBundle(path), { url: pathToFileURL(path).href, name: 'bundle.js' });
  });

  test('loads a bundle whose code cache V8 rejects', (t) => {
    const path = bundle(t);
    writeFileSync(codeCachePath(path), 'of another version');
    assert.deepEqual(loadBundle(path), { url: pathToFileURL(path).href, name: 'bundle.js' });
  });

  /** Loads a bundle in a process of its own, which may serve, and may change something before it ends. */
  const run = (path: string, { serves = true, last = '' } = {}): void => {
    const load = `import { loadBundle } from ${JSON.stringify(new URL('load-bundle.ts', import.meta.url).href)};
      import { appendFileSync } from 'node:fs';
      loadBundle(${JSON.stringify(path)}); ${serves ? "process.on('SIGTERM', () => {});" : ''} ${last}; process.exit()`;
    execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', load]);
  };
  const cachesOf = (path: string): string[] =>
    readdirSync(dirname(path)).filter((name) => name.startsWith(`${basename(path)}.`));

  test('writes the code cache when a process ends that served, for its Node.js', (t) => {
    const path = bundle(t);
    run(path, { serves: false });
    assert.deepEqual(cachesOf(path), []);
    run(path);
    const [cache = ''] = cachesOf(path);
    assert.match(cache, /^bundle\.js\.[0-9a-f]+\.cache$/);
    assert.equal(statSync(join(dirname(path), cache)).mode & 0o777, 0o644);
    assert.deepEqual(loadBundle(path), { url: pathToFileURL(path).href, name: 'bundle.js' });
  });

  test('takes the code cache that it wrote, also for a bundle that is loaded after another', (t) => {
    const path = bundle(t);
    run(path);
    const [cache = ''] = cachesOf(path);
    const { ino } = statSync(join(dirname(path), cache));
    run(path, { last: `loadBundle(${JSON.stringify(path)})` });
    assert.deepEqual(cachesOf(path), [cache]);
    assert.equal(statSync(join(dirname(path), cache)).ino, ino);
  });

  test('loads a part of a bundle that lies beside it once, when it is needed', (t) => {
    const path = bundle(t);
    const wrapped = (body: string): string =>
      `(function (exports, require, module, __filename, __dirname, importMetaUrl) {\n${body}\n})`;
    writeFileSync(join(dirname(path), 'part.js'), wrapped('module.exports = { url: importMetaUrl };'));
    writeFileSync(path, wrapped("exports.part = () => require('./part.js');"));
    const loaded = loadBundle(path) as { part: () => { url: string } };
    const part = loaded.part();
    assert.equal(part.url, pathToFileURL(join(dirname(path), 'part.js')).href);
    assert.equal(loaded.part(), part);
  });

  test('replaces a code cache that V8 rejects', (t) => {
    const path = bundle(t);
    run(path);
    const [cache = ''] = cachesOf(path);
    const whole = readFileSync(join(dirname(path), cache));
    writeFileSync(join(dirname(path), cache), 'damaged');
    run(path);
    assert.equal(readFileSync(join(dirname(path), cache)).length, whole.length);
  });

  test('writes no code cache for a bundle that was replaced meanwhile', (t) => {
    const path = bundle(t);
    run(path, { last: `appendFileSync(${JSON.stringify(path)}, ' ')` });
    assert.deepEqual(cachesOf(path), []);
  });

  test('keeps the code caches of a bundle few', (t) => {
    const path = bundle(t);
    for (let at = 0; at < 9; at++) writeFileSync(`${path}.${at}.cache${at % 2 === 0 ? '.1.tmp' : ''}`, '');
    run(path);
    assert.equal(cachesOf(path).length, 6);
  });

  test('leaves a folder alone that cannot be written', (t) => {
    const path = bundle(t);
    keepCodeCache(join(path, 'below-a-file.js.1.cache'), new Uint8Array(1));
    assert.deepEqual(cachesOf(path), []);
  });
});
