import { outsideSpans } from '#shared/spans/active-span.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import type { Encodable } from '#shared/storage/etcd-wire/codec.ts';
import type { MessageType } from '#shared/storage/etcd-wire/message-type.ts';
import { streamMethods, unaryMethods } from '#shared/storage/etcd-wire/method-table.ts';
import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import { checkRequestSize } from '#shared/storage/etcd-wire/request-limit.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { CallOptions, EtcdStream, EtcdTransport, StreamHandlers } from '#shared/storage/etcd-wire/transport.ts';
import { connectEndpoints } from './etcd3-client.ts';
import type { EndpointClient, EtcdWay } from './etcd3-client.ts';
import { Etcd3Stream } from './etcd3-stream.ts';
import { toRpcError } from './rpc-error.ts';

export interface Etcd3TransportOptions extends EtcdWay {
  /** `http://host:port` or `https://host:port`, at least one. */
  readonly endpoints: readonly string[];
}

/**
 * gRPC to a real etcd cluster. All calls go to one endpoint; when it does not answer, calls go to the next one.
 */
export class Etcd3Transport implements EtcdTransport {
  readonly #options: Etcd3TransportOptions;
  #clients: Promise<EndpointClient[]> | undefined;
  #current = 0;
  #closed = false;
  /** The open streams, with the index of the endpoint of each. */
  readonly #streams = new Map<{ fail(error: EtcdRpcError): void }, number | undefined>();

  constructor(options: Etcd3TransportOptions) {
    if (options.endpoints.length === 0) throw new TypeError('etcd: no endpoint given');
    this.#options = options;
  }

  async unary<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    options: CallOptions = {},
  ): Promise<UnaryCalls[M]['response']> {
    const deadline = options.deadlineMs === undefined ? undefined : Date.now() + options.deadlineMs;
    const client = await this.#client();
    const table = unaryMethods[method];
    const bytes = encodeMessage(table.request, request as Encodable<UnaryCalls[M]['request']>);
    checkRequestSize(bytes.length);
    const index = this.#current;
    const metadata = client.callMetadata();
    return new Promise((resolve, reject) => {
      const call = (): unknown =>
        client.grpc.makeUnaryRequest(
          `/etcdserverpb.${method}`,
          asTheyAre,
          deserializer<UnaryCalls[M]['response']>(table.response),
          bytes,
          metadata,
          deadline === undefined ? {} : { deadline },
          (error, response) => {
            if (error === null && response !== undefined) return resolve(response);
            const failure = toRpcError(error);
            this.#noteFailure(index, failure);
            reject(failure);
          },
        );
      // The call may open the connection, which outlives the request.
      outsideSpans(call);
    });
  }

  stream<M extends StreamMethod>(
    method: M,
    handlers: StreamHandlers<StreamCalls[M]['response']>,
  ): EtcdStream<StreamCalls[M]['request']> {
    const table = streamMethods[method];
    const stream = new Etcd3Stream<StreamCalls[M]['request'], StreamCalls[M]['response']>({
      onMessage: handlers.onMessage,
      onEnd: (error) => {
        this.#streams.delete(stream);
        handlers.onEnd(error);
      },
    });
    this.#streams.set(stream, undefined);
    this.#client().then(
      (client) => {
        const index = this.#current;
        const call = client.grpc.makeBidiStreamRequest(
          `/etcdserverpb.${method}`,
          serializer<StreamCalls[M]['request']>(table.request),
          deserializer<StreamCalls[M]['response']>(table.response),
          client.streamMetadata(),
        );
        if (this.#streams.has(stream)) this.#streams.set(stream, index);
        stream.attach(call, (error) => this.#noteFailure(index, error));
      },
      (error: unknown) => stream.fail(toRpcError(error)),
    );
    return stream;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const stream of this.#streams.keys())
      stream.fail(new EtcdRpcError(grpcCode.cancelled, 'etcd client is closed'));
    const clients = await this.#clients?.catch(() => []);
    for (const client of clients ?? []) client.close();
  }

  async #client(): Promise<EndpointClient> {
    if (this.#closed) throw new EtcdRpcError(grpcCode.cancelled, 'etcd client is closed', { notSent: true });
    this.#clients ??= outsideSpans(() => connectEndpoints(this.#options.endpoints, this.#options));
    const clients = await this.#clients;
    const client = clients[this.#current];
    if (client === undefined || this.#closed)
      throw new EtcdRpcError(grpcCode.cancelled, 'etcd client is closed', { notSent: true });
    return client;
  }

  /** Moves on to the next endpoint, once for all the calls that failed together. */
  #noteFailure(index: number, error: EtcdRpcError): void {
    const away = error.code === grpcCode.unavailable || error.code === grpcCode.deadlineExceeded;
    if (!away || index !== this.#current || this.#options.endpoints.length === 1) return;
    this.#current = (index + 1) % this.#options.endpoints.length;
    // A member that hangs leaves its streams open: they fail here, so that their owners open them at the next endpoint.
    const left = new EtcdRpcError(
      grpcCode.unavailable,
      `etcd at ${this.#options.endpoints[index] ?? ''} does not answer`,
    );
    for (const [stream, at] of this.#streams) if (at === index) stream.fail(left);
  }
}

function serializer<T>(type: MessageType<T>): (value: T) => Buffer {
  return (value) => encodeMessage(type, value as Encodable<T>);
}

function asTheyAre(bytes: Buffer): Buffer {
  return bytes;
}

function deserializer<T>(type: MessageType<T>): (bytes: Buffer) => T {
  return (bytes) => decodeMessage(type, bytes);
}
