import { dialClientUrl, NoFramesError, type FrameDial } from '#shared/storage/etcd-wire/frame-dial.ts';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import type { CallOptions, EtcdStream, EtcdTransport, StreamHandlers } from '#shared/storage/etcd-wire/transport.ts';

/** A slower endpoint is called by gRPC, whose calls have their own deadlines, and is probed again at the next call. */
const answerWithinMs = 1_000;

/** The frame protocol has no keepalive, which a network connection would need. */
export function isOnThisMachine(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return (
    protocol === 'http:' && (hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname))
  );
}

/**
 * One endpoint, which is a store of this project or an etcd. It is probed for the frame protocol before the first call;
 * without that, calls use gRPC. A gRPC call costs five times the CPU of one in frames
 * (`.github/decisions/transport-to-storage.md`).
 */
export class StoreOrEtcdTransport implements EtcdTransport {
  readonly #dial: FrameDial;
  readonly #grpc: EtcdTransport;
  #chosen: EtcdTransport | undefined;
  #choosing: Promise<EtcdTransport> | undefined;
  #closed = false;

  constructor(endpoint: string, grpc: EtcdTransport) {
    this.#dial = dialClientUrl(endpoint);
    this.#grpc = grpc;
  }

  async unary<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    options: CallOptions = {},
  ): Promise<UnaryCalls[M]['response']> {
    const chosen = this.#chosen ?? (await this.#choose());
    if (method === 'Store/Tip' && chosen === this.#grpc)
      throw new EtcdRpcError(grpcCode.unimplemented, 'an etcd has no tip');
    return chosen.unary(method, request, options);
  }

  stream<M extends StreamMethod>(
    method: M,
    handlers: StreamHandlers<StreamCalls[M]['response']>,
  ): EtcdStream<StreamCalls[M]['request']> {
    if (this.#chosen !== undefined || this.#closed) return (this.#chosen ?? this.#grpc).stream(method, handlers);
    return new LaterStream(this.#choose(), method, handlers);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#grpc.close(), this.#chosen === this.#grpc ? undefined : this.#chosen?.close()]);
  }

  #choose(): Promise<EtcdTransport> {
    if (this.#closed) return Promise.resolve(this.#grpc);
    this.#choosing ??= this.#ask().finally(() => {
      this.#choosing = undefined;
    });
    return this.#choosing;
  }

  /** Probes the endpoint. Rejects with `unavailable` where the connection fails. */
  async #ask(): Promise<EtcdTransport> {
    const answer = await speaksFrames(this.#dial);
    if (answer === undefined || this.#closed) return this.#grpc;
    return (this.#chosen = answer ? new FrameTransport({ dial: this.#again() }) : this.#grpc);
  }

  /** Dials each connection. After a loss, an etcd may have replaced the store: then the endpoint is probed again. */
  #again(): FrameDial {
    return {
      where: this.#dial.where,
      connect: (ready) =>
        this.#dial.connect(ready).on('error', (error) => {
          if (error instanceof NoFramesError) this.#chosen = undefined;
        }),
    };
  }
}

/** Whether the endpoint speaks frames; undefined without an answer in time. */
function speaksFrames(dial: FrameDial): Promise<boolean | undefined> {
  return new Promise((resolve, reject) => {
    const socket = dial.connect(() => {
      resolve(true);
      socket.destroy();
    });
    socket.setTimeout(answerWithinMs, () => {
      resolve(undefined);
      socket.destroy();
    });
    socket.on('error', (cause) => {
      if (cause instanceof NoFramesError) resolve(false);
      else
        reject(
          new EtcdRpcError(grpcCode.unavailable, `cannot connect to etcd at ${dial.where}: ${cause.message}`, {
            cause,
            notSent: true,
          }),
        );
    });
    socket.on('close', () => resolve(undefined));
  });
}

/** A stream that is opened before its transport is chosen: it queues messages until then. */
class LaterStream<M extends StreamMethod> implements EtcdStream<StreamCalls[M]['request']> {
  #early: StreamCalls[M]['request'][] = [];
  #endAsked = false;
  #cancelled = false;
  #stream: EtcdStream<StreamCalls[M]['request']> | undefined;

  constructor(transport: Promise<EtcdTransport>, method: M, handlers: StreamHandlers<StreamCalls[M]['response']>) {
    transport
      .then((chosen) => {
        if (!this.#cancelled) this.#begin(chosen.stream(method, handlers));
      })
      .catch((error: unknown) => {
        if (!this.#cancelled)
          handlers.onEnd(error instanceof EtcdRpcError ? error : new EtcdRpcError(grpcCode.unknown, String(error)));
      });
  }

  write(message: StreamCalls[M]['request']): void {
    if (this.#stream === undefined) this.#early.push(message);
    else this.#stream.write(message);
  }

  end(): void {
    this.#endAsked = true;
    this.#stream?.end();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#stream?.cancel();
  }

  #begin(stream: EtcdStream<StreamCalls[M]['request']>): void {
    this.#stream = stream;
    for (const message of this.#early) stream.write(message);
    this.#early = [];
    if (this.#endAsked) stream.end();
  }
}
