import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { pathToFileURL } from 'node:url';
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
    writeFileSync(`${path}.cache`, 'of another version');
    assert.deepEqual(loadBundle(path), { url: pathToFileURL(path).href, name: 'bundle.js' });
  });

  test('writes the code cache on exit only when the build asks for it', (t) => {
    const path = bundle(t);
    const load = `import { loadBundle } from ${JSON.stringify(new URL('load-bundle.ts', import.meta.url).href)}; loadBundle(${JSON.stringify(path)});`;
    const run = (env: NodeJS.ProcessEnv): void =>
      void execFileSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', load], {
        env: { ...process.env, ...env },
      });
    run({});
    assert.equal(existsSync(`${path}.cache`), false);
    run({ QUARTERDECK_WRITE_CODE_CACHE: '1' });
    assert.equal(existsSync(`${path}.cache`), true);
    assert.deepEqual(loadBundle(path), { url: pathToFileURL(path).href, name: 'bundle.js' });
  });
});
