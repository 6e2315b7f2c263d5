import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { EtcdCalls } from './calls.ts';
import { toStorageError } from './errors.ts';

/** Fails with the given errors in turn, then answers. */
function failing(...errors: EtcdRpcError[]): { calls: EtcdCalls; sent: () => number; methods: readonly string[] } {
  const methods: string[] = [];
  const transport: Pick<EtcdTransport, 'unary'> = {
    unary: async (method) => {
      const error = errors[methods.length];
      methods.push(method);
      if (error !== undefined) throw error;
      return { header: undefined } as never;
    },
  };
  return { calls: new EtcdCalls(transport as EtcdTransport, 1_000), sent: () => methods.length, methods };
}

const away = new EtcdRpcError(grpcCode.unavailable, 'away');
const notSent = new EtcdRpcError(grpcCode.unavailable, 'away', { notSent: true });
const key = Buffer.from('/a');

describe('EtcdCalls', () => {
  test('retries a read while etcd is unavailable', async () => {
    const { calls, sent } = failing(away, away);
    await calls.read('KV/Range', { key });
    assert.equal(sent(), 3);
  });

  test('does not retry a write that etcd may have received', async () => {
    const { calls, sent } = failing(away);
    await assert.rejects(calls.write('KV/Put', { key }), /away/);
    assert.equal(sent(), 1);
  });

  test('retries a write that was never sent', async () => {
    const { calls, sent } = failing(notSent);
    await calls.write('KV/Put', { key });
    assert.equal(sent(), 2);
  });

  test('sends writes after an outage only once a read has found a leader', async () => {
    const { calls, methods } = failing(away, away, away);
    await assert.rejects(calls.write('KV/Put', { key }), /away/);
    await Promise.all([calls.write('KV/Put', { key }), calls.write('KV/Put', { key })]);
    await calls.write('KV/Put', { key });
    assert.deepEqual(methods, ['KV/Put', 'KV/Range', 'KV/Range', 'KV/Range', 'KV/Put', 'KV/Put', 'KV/Put']);
  });

  test('marks a write as not sent when the read for a leader fails', async () => {
    const { calls, methods } = failing(away, new EtcdRpcError(grpcCode.internal, 'broken'));
    await assert.rejects(calls.write('KV/Put', { key }), /away/);
    await assert.rejects(calls.write('KV/Put', { key }), { message: 'broken', notSent: true });
    assert.deepEqual(methods, ['KV/Put', 'KV/Range']);
  });

  test('does not retry an error that etcd answers', async () => {
    const { calls, sent } = failing(
      new EtcdRpcError(grpcCode.resourceExhausted, 'etcdserver: mvcc: database space exceeded'),
    );
    await assert.rejects(calls.read('KV/Range', { key }));
    assert.equal(sent(), 1);
  });
});

describe('toStorageError', () => {
  test("translates etcd's codes and texts to storage codes", () => {
    const code = (grpc: number, message: string): string => toStorageError(new EtcdRpcError(grpc, message), '/a').code;
    assert.equal(code(grpcCode.outOfRange, 'etcdserver: mvcc: required revision has been compacted'), 'Compacted');
    assert.equal(
      code(grpcCode.outOfRange, 'etcdserver: mvcc: required revision is a future revision'),
      'FutureRevision',
    );
    assert.equal(code(grpcCode.resourceExhausted, 'etcdserver: mvcc: database space exceeded'), 'NoSpace');
    assert.equal(code(grpcCode.invalidArgument, 'etcdserver: request is too large'), 'TooLarge');
    assert.equal(code(grpcCode.unavailable, 'etcdserver: no leader'), 'Unavailable');
    assert.equal(code(grpcCode.deadlineExceeded, 'Deadline exceeded'), 'DeadlineExceeded');
    assert.equal(code(grpcCode.internal, 'boom'), 'Internal');
  });
});
