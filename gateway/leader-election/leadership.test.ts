import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SendToCore } from '#gateway/identity/identity-lease.ts';
import { numberAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { Leadership } from './leadership.ts';

/** One Lease with compare-and-set, as core has it. */
class StoredLease {
  lease: KubeObject | undefined;
  refuses = false;
  #revision = 0;
  #onChange: (() => void)[] = [];

  readonly send: SendToCore = async (method, _target, object) => {
    if (method === 'GET')
      return this.lease === undefined ? { status: 404, body: {} } : { status: 200, body: this.lease };
    const written = object as KubeObject;
    if (this.refuses && holder(written) !== '') return { status: 403, body: {} };
    if (method === 'POST' && this.lease !== undefined) return { status: 409, body: {} };
    if (method === 'PUT' && written.metadata.resourceVersion !== this.lease?.metadata.resourceVersion)
      return { status: 409, body: {} };
    this.lease = { ...written, metadata: { ...written.metadata, resourceVersion: String(++this.#revision) } };
    for (const call of this.#onChange.splice(0)) call();
    return { status: 200, body: this.lease };
  };

  async until(isSo: (holder: string) => boolean): Promise<void> {
    while (!isSo(holder(this.lease))) await new Promise<void>((resolve) => void this.#onChange.push(resolve));
  }
}

function holder(lease: KubeObject | undefined): string {
  return lease === undefined ? '' : stringAt(lease, 'spec', 'holderIdentity');
}

const times = { leaseDurationMs: 1_000, renewDeadlineMs: 100, retryPeriodMs: 10 };

function leader(stored: StoredLease, log: string[], name: string): Leadership {
  return new Leadership({
    ...times,
    send: stored.send,
    ready: Promise.resolve(),
    lead() {
      log.push(`${name} leads`);
      return () => void log.push(`${name} stops`);
    },
    onError: () => undefined,
  });
}

describe('Leadership', () => {
  test('leads while it holds the lease, and leaves it to another server at the end', async () => {
    const stored = new StoredLease();
    const log: string[] = [];
    const [first, second] = ['first', 'second'].map((name) => leader(stored, log, name)) as [Leadership, Leadership];
    first.start();
    await stored.until((name) => name !== '');
    const before = holder(stored.lease);
    second.start();
    await first.close();
    await stored.until((name) => name !== '' && name !== before);
    await second.close();
    assert.deepEqual(log, ['first leads', 'first stops', 'second leads', 'second stops']);
    assert.equal(holder(stored.lease), '');
    assert.equal(numberAt(stored.lease as KubeObject, 'spec', 'leaseTransitions'), 1);
  });

  test('stops leading when it cannot renew the lease in time, and gives it up', async () => {
    const stored = new StoredLease();
    const log: string[] = [];
    const only = leader(stored, log, 'only');
    only.start();
    await stored.until((name) => name !== '');
    stored.refuses = true;
    await stored.until((name) => name === '');
    await only.close();
    assert.deepEqual(log, ['only leads', 'only stops']);
  });
});
