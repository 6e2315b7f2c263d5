import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from './methods.ts';

/** Codes of gRPC that etcd uses (google.golang.org/grpc/codes). */
export const grpcCode = {
  ok: 0,
  cancelled: 1,
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  notFound: 5,
  alreadyExists: 6,
  permissionDenied: 7,
  resourceExhausted: 8,
  failedPrecondition: 9,
  aborted: 10,
  outOfRange: 11,
  unimplemented: 12,
  internal: 13,
  unavailable: 14,
  dataLoss: 15,
  unauthenticated: 16,
} as const;

/** A refusal by etcd, or by the transport itself (then `unavailable`, `cancelled` or `deadlineExceeded`). */
export class EtcdRpcError extends Error {
  /** A code of {@link grpcCode}. */
  readonly code: number;
  /**
   * True when it is certain that the server did not receive the call (it was never written to a connection):
   * only then may a write be sent again.
   */
  readonly notSent: boolean;

  constructor(code: number, message: string, options: { cause?: unknown; notSent?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'EtcdRpcError';
    this.code = code;
    this.notSent = options.notSent ?? false;
  }
}

export interface CallOptions {
  /** Time from now after which the call fails with `deadlineExceeded` (its effect is then unknown). Default: none. */
  deadlineMs?: number | undefined;
}

/** Callbacks for the opener of a stream. Called from the event loop, never from within `stream` or `write`. */
export interface StreamHandlers<Response> {
  onMessage: (message: Response) => void;
  /**
   * Called once, at the end. `error` is undefined if the server ended the stream regularly, and `unavailable` after a
   * lost connection.
   */
  onEnd: (error: EtcdRpcError | undefined) => void;
}

export interface EtcdStream<Request> {
  /** Queues a message; ignored once the stream has ended. */
  write(message: Request): void;
  /** Ends the requests; responses may follow. */
  end(): void;
  /** Drops the stream at once; `onEnd` is not called afterwards. */
  cancel(): void;
}

/**
 * A connection to an etcd v3 server, by frames or by gRPC. It connects on first use and again, with growing pauses,
 * after a loss. Calls in flight at a loss fail with `unavailable`: nothing is retried here.
 */
export interface EtcdTransport {
  /** @throws EtcdRpcError (as rejection) */
  unary<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    options?: CallOptions,
  ): Promise<UnaryCalls[M]['response']>;
  stream<M extends StreamMethod>(
    method: M,
    handlers: StreamHandlers<StreamCalls[M]['response']>,
  ): EtcdStream<StreamCalls[M]['request']>;
  /** Ends every call and stream with `cancelled`; resolves when the connections are closed. */
  close(): Promise<void>;
}
