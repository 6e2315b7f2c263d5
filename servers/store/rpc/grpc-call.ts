import type { ServerHttp2Stream } from 'node:http2';
import { ProtobufError } from '#shared/protobuf/protobuf-reader.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import { streamMethods, unaryMethods } from '#shared/storage/etcd-wire/method-table.ts';
import type { StreamMethod, UnaryMethod } from '#shared/storage/etcd-wire/methods.ts';
import { EncodedChunks } from '#shared/storage/etcd-wire/service.ts';
import type { EtcdService, StreamListener } from '#shared/storage/etcd-wire/service.ts';
import { EtcdRpcError, grpcCode } from '#shared/storage/etcd-wire/transport.ts';
import { encodeGrpcMessage, GrpcDeframer, grpcHeadBytes, writeGrpcHead } from './grpc-framing.ts';

const contentType = 'application/grpc';
/** A stream is paused while more bytes than this wait for the peer's flow-control window. */
const highWaterBytes = 1024 * 1024;

export function serveUnary(stream: ServerHttp2Stream, service: EtcdService, method: UnaryMethod): void {
  const deframer = new GrpcDeframer();
  let request: Buffer | undefined;
  let isRefused = false;
  stream.on('data', (chunk: Buffer) => {
    if (isRefused) return;
    try {
      deframer.push(chunk, (message) => (request ??= message));
    } catch (error) {
      isRefused = true;
      failCall(stream, error);
    }
  });
  stream.on('end', () => {
    if (!isRefused) answerUnary(stream, service, method, request).catch((error: unknown) => failCall(stream, error));
  });
}

async function answerUnary(
  stream: ServerHttp2Stream,
  service: EtcdService,
  method: UnaryMethod,
  request: Buffer | undefined,
): Promise<void> {
  if (request === undefined) throw new EtcdRpcError(grpcCode.internal, 'no request message');
  const wire = unaryMethods[method];
  const answer = await service.unary(method, decodeMessage<object>(wire.request, request));
  if (stream.destroyed || stream.closed) return;
  openAnswer(stream);
  if (answer instanceof EncodedChunks) {
    stream.write(writeGrpcHead(Buffer.allocUnsafe(grpcHeadBytes), answer.byteLength));
    for (const chunk of answer.chunks) stream.write(chunk);
    stream.end();
  } else {
    stream.end(writeGrpcHead(encodeMessage<object>(wire.response, answer, grpcHeadBytes)));
  }
}

export function serveStream(stream: ServerHttp2Stream, service: EtcdService, method: StreamMethod): void {
  const wire = streamMethods[method];
  const deframer = new GrpcDeframer();
  let ended = false;
  let status: EtcdRpcError | undefined;
  const listener: StreamListener<StreamMethod> = service.stream(method, {
    send: (message) => {
      if (!ended && !stream.destroyed)
        stream.write(writeGrpcHead(encodeMessage<object>(wire.response, message, grpcHeadBytes)));
      return stream.writableLength < highWaterBytes;
    },
    end: (error) => {
      if (ended) return;
      ended = true;
      if (error !== undefined) status = error;
      if (!stream.destroyed) stream.end();
    },
  });
  openAnswer(stream, () => status);
  stream.on('data', (chunk: Buffer) => {
    try {
      if (!ended) deframer.push(chunk, (message) => listener.onMessage(decodeMessage<object>(wire.request, message)));
    } catch (error) {
      ended = true;
      status = asRpcError(error);
      listener.onClose();
      stream.end();
    }
    // No requests are read from a client that does not read its answers.
    if (!ended && stream.writableLength >= highWaterBytes) stream.pause();
  });
  stream.on('end', () => {
    if (!ended) listener.onHalfClose();
  });
  stream.on('drain', () => {
    stream.resume();
    if (!ended) listener.onDrain();
  });
  stream.on('close', () => {
    if (ended) return;
    ended = true;
    listener.onClose();
  });
}

/** Sends the response headers; the gRPC status follows as trailers. */
export function openAnswer(stream: ServerHttp2Stream, failure: () => EtcdRpcError | undefined = () => undefined): void {
  stream.respond({ ':status': 200, 'content-type': contentType }, { waitForTrailers: true });
  stream.on('wantTrailers', () => {
    const error = failure();
    stream.sendTrailers(error === undefined ? { 'grpc-status': '0' } : statusHeaders(error));
  });
}

/** Ends a call without an answer yet, with headers and status at once. */
export function failCall(stream: ServerHttp2Stream, cause: unknown): void {
  if (stream.destroyed || stream.headersSent) return;
  stream.respond(
    { ':status': 200, 'content-type': contentType, ...statusHeaders(asRpcError(cause)) },
    { endStream: true },
  );
  // Discards what the client still sends.
  stream.resume();
}

function statusHeaders(error: EtcdRpcError): Record<string, string> {
  return { 'grpc-status': String(error.code), 'grpc-message': encodeGrpcMessage(error.message) };
}

function asRpcError(cause: unknown): EtcdRpcError {
  if (cause instanceof EtcdRpcError) return cause;
  const text = cause instanceof Error ? cause.message : String(cause);
  if (cause instanceof ProtobufError)
    return new EtcdRpcError(grpcCode.internal, `grpc: error unmarshalling request: ${text}`);
  return new EtcdRpcError(grpcCode.internal, text, { cause });
}
