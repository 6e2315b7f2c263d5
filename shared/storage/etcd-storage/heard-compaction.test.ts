import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { HeardCompaction } from './heard-compaction.ts';

/** etcd whose key says each of these, one after the other; undefined: there is no key yet. */
function tells(...answers: (string | Error | undefined)[]): { transport: EtcdTransport; asked: () => number } {
  let asked = 0;
  const unary = async (): Promise<object> => {
    const answer = answers[asked++];
    if (answer instanceof Error) throw answer;
    return { kvs: answer === undefined ? [] : [{ value: Buffer.from(answer) }] };
  };
  return { transport: { unary } as unknown as EtcdTransport, asked: () => asked };
}

describe('HeardCompaction', () => {
  test('returns the highest revision read from the key, also after errors and lower values', async () => {
    const { transport } = tells(undefined, '0', '860', new Error('away'), 'x', '12');
    const heard = new HeardCompaction(transport, 0);
    const revisions = [];
    for (let at = 0; at < 6; at++) revisions.push(await heard.revision());
    assert.deepEqual(revisions, [0, 0, 860, 860, 860, 860]);
  });

  test('shares one read among concurrent callers and keeps its answer while it is fresh', async () => {
    const { transport, asked } = tells('7', '8');
    const heard = new HeardCompaction(transport, 60_000);
    assert.deepEqual(await Promise.all([heard.revision(), heard.revision()]), [7, 7]);
    assert.equal(await heard.revision(), 7);
    assert.equal(asked(), 1);
  });
});
