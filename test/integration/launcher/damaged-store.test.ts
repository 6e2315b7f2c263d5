import assert from 'node:assert/strict';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync, truncateSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { startCluster } from '#test/cluster.ts';
import { descendantsOf } from '#test/e2e/npm-start/process-tree.ts';

describe('launcher', () => {
  test(
    "ends with one line that names the cause when the store's file is damaged beyond use",
    { timeout: 120_000 },
    async () => {
      const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-damaged-'));
      try {
        const cluster = await startCluster({ dataDir });
        const store = descendantsOf(cluster.launcher.pid as number).find((child) => child.server === 'store');
        assert.ok(store, 'the store is a process of its own');
        const ended = once(cluster.launcher, 'exit');
        process.kill(store.pid, 'SIGKILL');
        const path = join(dataDir, 'store', 'store.db');
        truncateSync(`${path}-wal`);
        const file = openSync(path, 'r+');
        writeSync(file, Buffer.alloc(4096), 0, 4096, 0);
        closeSync(file);
        assert.deepEqual(await ended, [1, null]);
        const line =
          /quarterdeck: (ended, because )?store ended \(code 65\) and cannot go on: \S+store\.db is damaged: .+ "quarterdeck store verify" lists what is damaged/;
        assert.match(cluster.output(), line);
        // What the others write of their end does not hide it.
        assert.match(cluster.output().trimEnd().split('\n').at(-1) ?? '', line);
      } finally {
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});
