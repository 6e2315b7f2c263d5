import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { countedBy } from '#shared/observability/exposition/testing/counted-by.ts';
import { EtcdRpcError, grpcCode, type EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { CountedTransport } from './counted-transport.ts';

const refusal = new EtcdRpcError(grpcCode.resourceExhausted, 'no');

/** Answers ranges, refuses what is written, and sends one message on each stream. */
const inner = {
  unary: (method: string) => (method === 'KV/Range' ? Promise.resolve({}) : Promise.reject(refusal)),
  stream: (_: string, handlers: { onMessage(message: unknown): void }) => {
    handlers.onMessage({});
    return { write: () => undefined, end: () => undefined, cancel: () => undefined };
  },
  close: () => Promise.resolve(),
} as unknown as EtcdTransport;

describe('CountedTransport', () => {
  test('counts calls and their messages by method and code', async () => {
    const transport = new CountedTransport(inner);
    const counted = await countedBy('grpc_client', async () => {
      await transport.unary('KV/Range', { key: Buffer.of() });
      await assert.rejects(transport.unary('KV/Txn', { compare: [], success: [], failure: [] }));
      const watch = transport.stream('Watch/Watch', { onMessage: () => undefined, onEnd: () => undefined });
      watch.write({});
      watch.cancel();
    });
    const labels = (method: string, service: string, type: string): string =>
      `grpc_method="${method}",grpc_service="etcdserverpb.${service}",grpc_type="${type}"} 1`;
    const [range, txn] = [labels('Range', 'KV', 'unary'), labels('Txn', 'KV', 'unary')];
    const watch = labels('Watch', 'Watch', 'bidi_stream');
    assert.deepEqual(counted, [
      `grpc_client_handled_total{grpc_code="Canceled",${watch}`,
      `grpc_client_handled_total{grpc_code="OK",${range}`,
      `grpc_client_handled_total{grpc_code="ResourceExhausted",${txn}`,
      `grpc_client_msg_received_total{${range}`,
      `grpc_client_msg_received_total{${watch}`,
      `grpc_client_msg_sent_total{${range}`,
      `grpc_client_msg_sent_total{${txn}`,
      `grpc_client_msg_sent_total{${watch}`,
      `grpc_client_started_total{${range}`,
      `grpc_client_started_total{${txn}`,
      `grpc_client_started_total{${watch}`,
    ]);
  });
});
