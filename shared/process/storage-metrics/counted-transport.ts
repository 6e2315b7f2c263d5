import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import {
  grpcCode,
  type CallOptions,
  type EtcdStream,
  type EtcdTransport,
  type StreamHandlers,
} from '#shared/storage/etcd-wire/transport.ts';
import { toRpcError } from '#shared/storage/etcd/rpc-error.ts';
import { RpcCounts } from './rpc-metrics.ts';

/** Counts the calls of an etcd client by method. */
export class CountedTransport implements EtcdTransport {
  readonly #inner: EtcdTransport;
  readonly #unary = new Map<string, RpcCounts>();
  readonly #streams = new Map<string, RpcCounts>();

  constructor(inner: EtcdTransport) {
    this.#inner = inner;
  }

  unary<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    options?: CallOptions,
  ): Promise<UnaryCalls[M]['response']> {
    const counts = countsOf(this.#unary, method, 'unary');
    counts.started.value++;
    counts.sent.value++;
    return this.#inner.unary(method, request, options).then(
      (response) => {
        counts.received.value++;
        counts.ended(grpcCode.ok);
        return response;
      },
      (error: unknown) => {
        counts.ended(toRpcError(error).code);
        throw error;
      },
    );
  }

  stream<M extends StreamMethod>(
    method: M,
    handlers: StreamHandlers<StreamCalls[M]['response']>,
  ): EtcdStream<StreamCalls[M]['request']> {
    const counts = countsOf(this.#streams, method, 'bidi_stream');
    let isOver = false;
    const end = (code: number): void => {
      if (!isOver) counts.ended(code);
      isOver = true;
    };
    counts.started.value++;
    const stream = this.#inner.stream(method, {
      onMessage(message) {
        counts.received.value++;
        handlers.onMessage(message);
      },
      onEnd(error) {
        end(error?.code ?? grpcCode.ok);
        handlers.onEnd(error);
      },
    });
    return {
      write(message) {
        counts.sent.value++;
        stream.write(message);
      },
      end: () => stream.end(),
      cancel() {
        end(grpcCode.cancelled);
        stream.cancel();
      },
    };
  }

  close(): Promise<void> {
    return this.#inner.close();
  }
}

function countsOf(kept: Map<string, RpcCounts>, method: string, type: 'unary' | 'bidi_stream'): RpcCounts {
  let counts = kept.get(method);
  if (counts === undefined) kept.set(method, (counts = new RpcCounts(method, type)));
  return counts;
}
