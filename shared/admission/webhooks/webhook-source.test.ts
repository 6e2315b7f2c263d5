import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { FakeCaches } from '#shared/admission/testing/fake-caches.ts';
import { WebhookSource } from './webhook-source.ts';

const group = 'admissionregistration.k8s.io';
const resource = 'validatingwebhookconfigurations';

describe('WebhookSource', () => {
  test('is not ready while a stored configuration cannot be compiled, and is once it can', async (t) => {
    const caches = new FakeCaches();
    caches.put(group, resource, { metadata: { name: 'a' }, webhooks: [{ name: 'w.io', rules: [] }] });
    const reports: string[] = [];
    let isReadable = false;
    const source = new WebhookSource({
      caches: {
        cache: (...of) => caches.cache(...of),
        parse(entry) {
          if (!isReadable) throw new Error('unreadable');
          return caches.parse(entry);
        },
      },
      resource,
      reportError: (message, error) => reports.push(`${message}: ${String(error)}`),
    });
    t.after(() => source.close());
    await assert.rejects(source.ready(), /unreadable/);
    assert.equal(source.isReady(), false);
    assert.deepEqual(reports, ['webhooks stay as they were: Error: unreadable']);
    isReadable = true;
    const changed = new Promise<void>((resolve) => source.onChange(resolve));
    await changed;
    await source.ready();
    assert.equal(source.isReady(), true);
  });
});
