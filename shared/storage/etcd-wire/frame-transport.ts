import { frameHeadBytes, writeFrameHead } from '#shared/frames/frame-head.ts';
import { ProtobufError } from '#shared/protobuf/protobuf-reader.ts';
import { callFrameFlag } from './call-frames.ts';
import { decodeMessage, encodeMessage } from './codec.ts';
import { FrameConnection } from './frame-connection.ts';
import type { PendingCall } from './frame-connection.ts';
import { dialUnixSocket, type FrameDial } from './frame-dial.ts';
import { streamMethods, unaryMethods } from './method-table.ts';
import type { StreamCalls, StreamMethod, UnaryCalls, UnaryMethod } from './methods.ts';
import { checkRequestSize } from './request-limit.ts';
import type { CallOptions, EtcdStream, EtcdTransport, StreamHandlers } from './transport.ts';
import { EtcdRpcError, grpcCode } from './transport.ts';

const firstPauseMs = 20;
const longestPauseMs = 1000;

/**
 * The client side of the frame protocol, to a store of this project: over its Unix socket, or over its client address.
 */
export class FrameTransport implements EtcdTransport {
  readonly #dial: FrameDial;
  #connection: FrameConnection | undefined;
  #pauseMs = 0;
  #closed = false;

  constructor(options: { readonly socketPath: string } | { readonly dial: FrameDial }) {
    this.#dial = 'dial' in options ? options.dial : dialUnixSocket(options.socketPath);
  }

  unary<M extends UnaryMethod>(
    method: M,
    request: UnaryCalls[M]['request'],
    options: CallOptions = {},
  ): Promise<UnaryCalls[M]['response']> {
    const wire = unaryMethods[method];
    return new Promise((resolve, reject) => {
      const frame = encodeMessage<object>(wire.request, request, frameHeadBytes);
      checkRequestSize(frame.length - frameHeadBytes);
      const connection = this.#connected();
      const call: PendingCall = {
        deadline: options.deadlineMs === undefined ? Infinity : performance.now() + options.deadlineMs,
        unary: true,
        onPayload: (payload) => {
          const answer = readMessage<UnaryCalls[M]['response']>(() => decodeMessage(wire.response as never, payload));
          if (answer instanceof EtcdRpcError) reject(answer);
          else resolve(answer);
        },
        onEnd: (error) => reject(error ?? new EtcdRpcError(grpcCode.internal, 'call ended without an answer')),
      };
      const callId = connection.open(call);
      connection.write(writeFrameHead(frame, callId, wire.number, 0));
    });
  }

  stream<M extends StreamMethod>(
    method: M,
    handlers: StreamHandlers<StreamCalls[M]['response']>,
  ): EtcdStream<StreamCalls[M]['request']> {
    const wire = streamMethods[method];
    if (this.#closed) return endedStream(handlers.onEnd);
    const connection = this.#connected();
    let open = true;
    const callId = connection.open({
      deadline: Infinity,
      unary: false,
      onPayload: (payload) => {
        const message = readMessage<StreamCalls[M]['response']>(() => decodeMessage(wire.response as never, payload));
        if (!(message instanceof EtcdRpcError)) return handlers.onMessage(message);
        signal(callFrameFlag.cancel);
        open = false;
        connection.forget(callId);
        handlers.onEnd(message);
      },
      onEnd: (error) => {
        open = false;
        handlers.onEnd(error);
      },
    });
    const signal = (flag: number): void => {
      if (open) connection.write(writeFrameHead(Buffer.allocUnsafe(frameHeadBytes), callId, wire.number, flag));
    };
    return {
      write: (message) => {
        if (open)
          connection.write(
            writeFrameHead(encodeMessage<object>(wire.request, message, frameHeadBytes), callId, wire.number, 0),
          );
      },
      end: () => signal(callFrameFlag.end),
      cancel: () => {
        signal(callFrameFlag.cancel);
        open = false;
        connection.forget(callId);
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#connection?.close();
  }

  #connected(): FrameConnection {
    if (this.#closed) throw transportClosed();
    if (this.#connection !== undefined && !this.#connection.lost) return this.#connection;
    const connection = new FrameConnection(this.#dial, this.#pauseMs, () => {
      this.#pauseMs = 0;
    });
    this.#pauseMs = Math.min(longestPauseMs, Math.max(firstPauseMs, this.#pauseMs * 2));
    this.#connection = connection;
    return connection;
  }
}

function transportClosed(): EtcdRpcError {
  return new EtcdRpcError(grpcCode.cancelled, 'the transport is closed', { notSent: true });
}

function endedStream(onEnd: (error: EtcdRpcError) => void): EtcdStream<unknown> {
  let cancelled = false;
  queueMicrotask(() => {
    if (!cancelled) onEnd(transportClosed());
  });
  return { write: () => {}, end: () => {}, cancel: () => void (cancelled = true) };
}

/** Decodes a response. One that is not a valid message fails only its own call, as in gRPC. */
function readMessage<T>(decode: () => T): T | EtcdRpcError {
  try {
    return decode();
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    return new EtcdRpcError(grpcCode.internal, `failed to read the answer of the store: ${error.message}`, {
      cause: error,
    });
  }
}
