import { connect } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { GrpcDeframer, grpcHeadBytes, writeGrpcHead } from '#servers/store/rpc/grpc-framing.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { streamMethods, unaryMethods } from '#shared/storage/etcd-wire/method-table.ts';
import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import type { EtcdStream, EtcdTransport, StreamHandlers } from '#shared/storage/etcd-wire/transport.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';

/**
 * A bare gRPC client, so that the contract suite reaches the store, and a real etcd, over the wire that Go clients use.
 */
export class GrpcTestTransport implements EtcdTransport {
  readonly #session: ClientHttp2Session;

  constructor(url: string, options: { ca?: Buffer; cert?: Buffer; key?: Buffer } = {}) {
    this.#session = connect(url, options);
    this.#session.on('error', () => {});
  }

  unary<M extends UnaryMethod>(method: M, request: UnaryCalls[M]['request']): Promise<UnaryCalls[M]['response']> {
    const wire = unaryMethods[method];
    return new Promise((resolve, reject) => {
      let answer: UnaryCalls[M]['response'] | undefined;
      const stream = this.#call(
        method,
        (message) => (answer = decodeMessage(wire.response as never, message)),
        (error) => {
          if (error !== undefined || answer === undefined) reject(error ?? new Error('no answer'));
          else resolve(answer);
        },
      );
      stream.end(writeGrpcHead(encodeMessage<object>(wire.request, request, grpcHeadBytes)));
    });
  }

  stream<M extends StreamMethod>(
    method: M,
    handlers: StreamHandlers<StreamCalls[M]['response']>,
  ): EtcdStream<StreamCalls[M]['request']> {
    const wire = streamMethods[method];
    const stream = this.#call(
      method,
      (message) => handlers.onMessage(decodeMessage(wire.response as never, message)),
      handlers.onEnd,
    );
    return {
      write: (message) => void stream.write(writeGrpcHead(encodeMessage<object>(wire.request, message, grpcHeadBytes))),
      end: () => void stream.end(),
      cancel: () => stream.close(8),
    };
  }

  close(): Promise<void> {
    if (this.#session.closed || this.#session.destroyed) return Promise.resolve();
    return new Promise((resolve) => {
      this.#session.once('close', () => resolve());
      this.#session.destroy();
    });
  }

  #call(
    method: string,
    onMessage: (message: Buffer) => void,
    onEnd: (error: EtcdRpcError | undefined) => void,
  ): ClientHttp2Stream {
    const stream = this.#session.request({
      ':method': 'POST',
      ':path': `/etcdserverpb.${method}`,
      'content-type': 'application/grpc',
      te: 'trailers',
    });
    const deframer = new GrpcDeframer(Infinity);
    let status: IncomingHttpHeaders = {};
    stream.on('response', (headers) => (status = headers));
    stream.on('trailers', (headers) => (status = headers));
    stream.on('data', (chunk: Buffer) => deframer.push(chunk, onMessage));
    stream.on('error', () => {});
    stream.on('close', () => {
      const code = Number(status['grpc-status'] ?? grpcCode.unavailable);
      onEnd(
        code === 0
          ? undefined
          : new EtcdRpcError(code, decodeURIComponent(String(status['grpc-message'] ?? 'connection lost'))),
      );
    });
    return stream;
  }
}
