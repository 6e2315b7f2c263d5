import type { UnaryCalls, UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import type { StreamCalls, StreamMethod } from '#shared/storage/etcd-wire/methods.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { CallOptions, EtcdStream, EtcdTransport, StreamHandlers } from '#shared/storage/etcd-wire/transport.ts';

/**
 * What happens to the next write: it never leaves; it is carried out and the answer is lost, at once or only after the
 * deadline; it is lost on the way, of which nobody can tell.
 */
export type Fault = 'not sent' | 'answer lost' | 'answer late' | 'lost on the way';

/** A connection to a store that loses the writes it is told to. */
export class FaultyTransport implements EtcdTransport {
  readonly #inner: EtcdTransport;
  /** For the next transactions, in order. */
  readonly faults: Fault[] = [];
  /** Transactions that the store was given. */
  transactions = 0;

  constructor(inner: EtcdTransport) {
    this.#inner = inner;
  }

  async unary<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    options?: CallOptions,
  ): Promise<UnaryCalls[M]['response']> {
    const fault = method === 'KV/Txn' ? this.faults.shift() : undefined;
    if (fault === 'not sent') throw new EtcdRpcError(grpcCode.unavailable, 'cannot connect', { notSent: true });
    if (fault === 'lost on the way') throw new EtcdRpcError(grpcCode.unavailable, 'connection to the store was lost');
    if (method === 'KV/Txn') this.transactions += 1;
    const answer = await this.#inner.unary(method, request, options);
    if (fault === 'answer lost') throw new EtcdRpcError(grpcCode.unavailable, 'connection to the store was lost');
    if (fault === 'answer late')
      throw new EtcdRpcError(grpcCode.deadlineExceeded, 'etcdserver: context deadline exceeded');
    return answer;
  }

  stream<M extends StreamMethod>(
    method: M,
    handlers: StreamHandlers<StreamCalls[M]['response']>,
  ): EtcdStream<StreamCalls[M]['request']> {
    return this.#inner.stream(method, handlers);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}
