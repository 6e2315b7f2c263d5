import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { receiveNotices } from '#shared/process/testing/notify-receiver.ts';
import { startCluster } from '#test/cluster.ts';

// Service managers of this protocol are Linux's.
if (process.platform === 'linux')
  describe('npm start below a service manager', () => {
    test('says once that it serves, when it does', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'notify-'));
      const place = join(folder, 'socket');
      const receiver = receiveNotices(place);
      process.env['NOTIFY_SOCKET'] = place;
      const cluster = await startCluster({ bundled: true });
      delete process.env['NOTIFY_SOCKET'];
      try {
        // It is told behind the ready line, in the same turn.
        const notices: string[] = [];
        while (notices.length === 0) {
          await new Promise((resolve) => setImmediate(resolve));
          notices.push(...receiver.received());
        }
        assert.deepEqual(notices, ['READY=1\n']);
        assert.doesNotMatch(cluster.output(), /service manager|ExperimentalWarning/);
      } finally {
        await cluster.close();
        assert.deepEqual(receiver.received(), []);
        receiver.close();
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });
