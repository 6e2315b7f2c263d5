import type { Encodable } from './codec.ts';
import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from './methods.ts';
import type { EtcdRpcError } from './transport.ts';

/** A response that is encoded already, in pieces (a long Range is read page by page and never joined). */
export class EncodedChunks {
  readonly chunks: readonly Buffer[];
  readonly byteLength: number;

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks;
    this.byteLength = chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }
}

export type UnaryAnswer<M extends UnaryMethod> = Encodable<UnaryCalls[M]['response']> | EncodedChunks;

/** The server's side of a stream, provided by the transport. */
export interface ServerStream<M extends StreamMethod> {
  /** Sends a message. False if the peer is slow: send no more until `onDrain`. The message is queued in either case. */
  send(message: Encodable<StreamCalls[M]['response']>): boolean;
  /** Ends the stream; with an error when it failed. No callback is called afterwards. */
  end(error?: EtcdRpcError): void;
}

/** The callbacks of the service for a stream. */
export interface StreamListener<M extends StreamMethod> {
  onMessage(request: StreamCalls[M]['request']): void;
  /** The peer sends no more requests; responses may follow. */
  onHalfClose(): void;
  /** The peer or the connection is gone: free everything. Not called after `end`. */
  onClose(): void;
  onDrain(): void;
}

/** An etcd server without its transport: both gRPC and the frame protocol call it. */
export interface EtcdService {
  /** @throws EtcdRpcError (as rejection) */
  unary<M extends UnaryMethod>(method: M, request: UnaryCalls[M]['request']): Promise<UnaryAnswer<M>>;
  stream<M extends StreamMethod>(method: M, stream: ServerStream<M>): StreamListener<M>;
}
