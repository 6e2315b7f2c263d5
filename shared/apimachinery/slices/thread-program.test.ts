import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { threadProgram } from './thread-program.ts';

describe('threadProgram', () => {
  test('is the same program after its file was removed or replaced', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'thread-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const path = join(folder, 'worker.js');
    const source = (text: string): string =>
      `import { parentPort } from 'node:worker_threads'; parentPort.postMessage('${text}');`;
    writeFileSync(path, source('ä'));
    const program = threadProgram('worker', pathToFileURL(join(folder, 'bundle.js')).href);
    assert.equal(program().href, pathToFileURL(path).href);
    rmSync(path);
    const removed = program();
    const other = join(folder, 'other.js');
    writeFileSync(other, source('other'));
    writeFileSync(path, source('other'));
    assert.equal(program().href, removed.href);
    const worker = new Worker(removed);
    assert.deepEqual(await once(worker, 'message'), ['ä']);
    await worker.terminate();
  });

  test('tells that it is missing when it is asked for', () => {
    assert.throws(threadProgram('worker', 'file:///none/bundle.js'), /the program worker of a thread is missing/);
  });
});
