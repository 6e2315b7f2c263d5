import type { Socket } from 'node:net';
import { takeChunks } from '#shared/apimachinery/slices/take-chunks.ts';
import { frameHeadBytes, writeFrameHead } from '#shared/frames/frame-head.ts';
import { FrameError, FrameParser, type FrameSink } from '#shared/frames/frame-parser.ts';
import { callFrameFlag, errorFrame } from './call-frames.ts';
import { CoalescingWriter } from './coalescing-writer.ts';
import { decodeMessage, encodeMessage } from './codec.ts';
import { isStreamMethod, methodByNumber, streamMethods, unaryMethods } from './method-table.ts';
import type { StreamMethod, UnaryMethod } from './methods.ts';
import { maxRequestBytes } from './request-limit.ts';
import type { EtcdService, ServerStream, StreamListener } from './service.ts';
import { EncodedChunks } from './service.ts';
import { EtcdRpcError, grpcCode } from './transport.ts';

/** A stream has to pause while more bytes than this wait to be read by the peer. */
const highWaterBytes = 1024 * 1024;

/** Answers the calls of one connection until it closes. */
export function serveFrames(socket: Socket, service: EtcdService): void {
  const connection = new FrameConnection(socket, service);
  const parser = new FrameParser(connection, maxRequestBytes);
  takeChunks(socket, (chunk) => {
    try {
      parser.push(chunk);
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      socket.destroy();
    }
  });
  socket.on('drain', () => connection.drained());
  socket.on('error', () => socket.destroy());
  socket.on('close', () => connection.closed());
}

class FrameConnection implements FrameSink {
  readonly #writer: CoalescingWriter;
  readonly #service: EtcdService;
  readonly #streams = new Map<number, StreamListener<StreamMethod>>();

  constructor(socket: Socket, service: EtcdService) {
    this.#writer = new CoalescingWriter(socket);
    this.#service = service;
  }

  onFrame(callId: number, methodNumber: number, flags: number, payload: Buffer): void {
    const method = methodByNumber(methodNumber);
    if (method === undefined) {
      this.#writer.write(
        errorFrame(callId, methodNumber, grpcCode.unimplemented, `unknown method number ${methodNumber}`),
      );
    } else if (isStreamMethod(method)) {
      this.#streamFrame(callId, method, flags, payload);
    } else {
      this.#unary(callId, method, payload).catch((error: unknown) => this.#fail(callId, methodNumber, error));
    }
  }

  drained(): void {
    for (const listener of this.#streams.values()) listener.onDrain();
  }

  closed(): void {
    for (const listener of this.#streams.values()) listener.onClose();
    this.#streams.clear();
  }

  async #unary(callId: number, method: UnaryMethod, payload: Buffer): Promise<void> {
    const wire = unaryMethods[method];
    const answer = await this.#service.unary(method, decodeMessage<object>(wire.request, payload));
    if (answer instanceof EncodedChunks) {
      this.#writer.write(
        writeFrameHead(Buffer.allocUnsafe(frameHeadBytes), callId, wire.number, callFrameFlag.end, answer.byteLength),
      );
      for (const chunk of answer.chunks) this.#writer.write(chunk);
      return;
    }
    this.#writer.write(
      writeFrameHead(
        encodeMessage<object>(wire.response, answer, frameHeadBytes),
        callId,
        wire.number,
        callFrameFlag.end,
      ),
    );
  }

  #streamFrame(callId: number, method: StreamMethod, flags: number, payload: Buffer): void {
    const number = streamMethods[method].number;
    try {
      let listener = this.#streams.get(callId);
      if ((flags & callFrameFlag.cancel) !== 0) {
        this.#streams.delete(callId);
        listener?.onClose();
        return;
      }
      listener ??= this.#open(callId, method);
      if ((flags & callFrameFlag.end) !== 0) listener.onHalfClose();
      else listener.onMessage(decodeMessage<object>(streamMethods[method].request, payload));
    } catch (error) {
      const listener = this.#streams.get(callId);
      this.#streams.delete(callId);
      this.#fail(callId, number, error);
      listener?.onClose();
    }
  }

  #open(callId: number, method: StreamMethod): StreamListener<StreamMethod> {
    const wire = streamMethods[method];
    const stream: ServerStream<StreamMethod> = {
      send: (message) => {
        this.#writer.write(
          writeFrameHead(encodeMessage<object>(wire.response, message, frameHeadBytes), callId, wire.number, 0),
        );
        return this.#writer.queuedBytes < highWaterBytes;
      },
      end: (error) => {
        if (!this.#streams.delete(callId)) return;
        if (error === undefined) {
          this.#writer.write(
            writeFrameHead(Buffer.allocUnsafe(frameHeadBytes), callId, wire.number, callFrameFlag.end),
          );
        } else {
          this.#fail(callId, wire.number, error);
        }
      },
    };
    const listener = this.#service.stream(method, stream);
    this.#streams.set(callId, listener);
    return listener;
  }

  #fail(callId: number, methodNumber: number, error: unknown): void {
    const code = error instanceof EtcdRpcError ? error.code : grpcCode.internal;
    this.#writer.write(errorFrame(callId, methodNumber, code, error instanceof Error ? error.message : String(error)));
  }
}
