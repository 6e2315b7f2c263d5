import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TestContext } from 'node:test';
import type { TxnRequest } from '#shared/storage/etcd-wire/kv-messages.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { CompactionLoop } from './compaction-loop.ts';

/** etcd as far as compaction goes: the version of one key, a revision that each round finds 100 further. */
function fakeEtcd(): { transport: EtcdTransport; compacted: number[] } {
  let version = 0;
  let revision = 0;
  const compacted: number[] = [];
  const unary = async (method: string, request: object): Promise<object> => {
    if (method === 'KV/Compact') {
      compacted.push((request as { revision: number }).revision);
      return {};
    }
    const succeeded = (request as TxnRequest).compare?.[0]?.version === version;
    if (succeeded) version += 1;
    revision += 100;
    const responses = succeeded ? [] : [{ responseRange: { kvs: [{ version }] } }];
    return { header: { revision }, succeeded, responses };
  };
  return { transport: { unary } as unknown as EtcdTransport, compacted };
}

function loop(t: TestContext, transport: EtcdTransport): CompactionLoop {
  const made = new CompactionLoop(transport, 300_000);
  t.after(() => made.stop());
  return made;
}

describe('CompactionLoop', () => {
  test('compacts in each round the revision of the round before, and nothing in the first', async (t) => {
    const { transport, compacted } = fakeEtcd();
    const one = loop(t, transport);
    assert.deepEqual([await one.round(), await one.round(), await one.round()], [0, 100, 200]);
    assert.deepEqual(compacted, [100, 200]);
  });

  test('compacts on one server only, and on another after the first has stopped', async (t) => {
    const { transport, compacted } = fakeEtcd();
    const [one, two] = [loop(t, transport), loop(t, transport)];
    assert.equal(await one.round(), 0);
    assert.equal(await two.round(), 0);
    assert.equal(await one.round(), 100);
    assert.equal(await two.round(), 0);
    assert.equal(await two.round(), 400);
    assert.deepEqual(compacted, [100, 400]);
  });
});
