import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { notifyReady } from './service-manager.ts';
import { receiveNotices } from './testing/notify-receiver.ts';

const folder = mkdtempSync(join(tmpdir(), 'notify-'));
after(() => rmSync(folder, { recursive: true, force: true }));

// Service managers of this protocol are Linux's.
const places = process.platform === 'linux' ? [join(folder, 'socket'), `@notify-test-${process.pid}`] : [];

describe('notifyReady', () => {
  for (const place of places) {
    it(`tells the service manager at ${place.startsWith('@') ? 'an abstract socket' : 'a path'} once`, () => {
      const environment = { NOTIFY_SOCKET: place };
      const receiver = receiveNotices(place);
      notifyReady(environment);
      notifyReady(environment);
      assert.deepEqual(receiver.received(), ['READY=1\n']);
      assert.deepEqual(environment, {});
      receiver.close();
    });
  }

  it('does nothing without a service manager', () => {
    notifyReady({});
    notifyReady({ NOTIFY_SOCKET: '' });
  });

  it('refuses places where nobody listens, or nobody can', () => {
    const told = (place: string) => () => notifyReady({ NOTIFY_SOCKET: place });
    assert.throws(told(join(folder, 'nobody')), /nobody receives/);
    assert.throws(told('relative'), /neither a path nor an abstract socket/);
    assert.throws(told(`/${'a'.repeat(200)}`), /longer/);
  });
});
