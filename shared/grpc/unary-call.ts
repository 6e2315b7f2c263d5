import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { GrpcError, grpcCodeName } from './grpc-error.ts';

/** As Go's client: longer answers are errors. */
const maxAnswerBytes = 4 * 1024 * 1024;
/** Of RST_STREAM (RFC 9113, section 7). */
const cancelCode = 8;
/** A flag for compression and the length of the message. */
export const prefixBytes = 5;

/**
 * Makes one call with one message each way (gRPC over HTTP/2). Resolves to the body of the answer, prefix included;
 * rejects with {@link GrpcError}.
 */
export function unaryCall(
  session: ClientHttp2Session,
  path: string,
  request: Uint8Array,
  timeoutMs: number,
  // As grpc-go says of Unix sockets, without the port that node:http2 adds: servers may check it.
  authority = 'localhost',
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const wholeMs = Math.max(1, Math.floor(timeoutMs));
    const deadlineMs = performance.now() + wholeMs;
    let size = 0;
    let headers: IncomingHttpHeaders = {};
    let stream: ClientHttp2Stream;
    const fail = (code: string, description: string): void => {
      clearTimeout(timer);
      reject(new GrpcError(code, description));
      stream?.close();
    };
    const timer = setTimeout(() => fail('DeadlineExceeded', 'context deadline exceeded'), Math.max(0, timeoutMs));
    try {
      stream = session.request({
        ':method': 'POST',
        ':authority': authority,
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        'grpc-timeout': `${wholeMs}m`,
      });
    } catch (error) {
      return fail('Unavailable', String(error));
    }
    const take = (more: IncomingHttpHeaders): void => void (headers = { ...headers, ...more });
    stream.on('response', take).on('trailers', take);
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxAnswerBytes + prefixBytes)
        fail('ResourceExhausted', `grpc: received message larger than max (${size} vs. ${maxAnswerBytes})`);
      else chunks.push(chunk);
    });
    stream.on('error', (error) => fail('Unavailable', error.message));
    stream.on('close', () => {
      clearTimeout(timer);
      const fault = faultOf(headers, () => cutOff(stream, session, performance.now() >= deadlineMs));
      if (fault !== undefined) reject(fault);
      else resolve(Buffer.concat(chunks));
    });
    stream.end(prefixedMessage(request));
  });
}

/** A message with its prefix. */
export function prefixedMessage(message: Uint8Array): Buffer {
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(message.length, 1);
  return Buffer.concat([prefix, message]);
}

/** Why an answer without a status ended. A server that knows the deadline may cancel at it, before the timer here. */
function cutOff({ rstCode }: ClientHttp2Stream, session: ClientHttp2Session, isLate: boolean): GrpcError {
  // The streams of a broken connection end with this code, too.
  if (rstCode !== cancelCode || session.destroyed)
    return new GrpcError('Unavailable', 'error reading from server: EOF');
  return isLate
    ? new GrpcError('DeadlineExceeded', 'context deadline exceeded')
    : new GrpcError('Canceled', 'stream terminated by RST_STREAM with error code: CANCEL');
}

/** The error that the headers and trailers of an answer tell. */
function faultOf(headers: IncomingHttpHeaders, brokenOff: () => GrpcError): GrpcError | undefined {
  const status = headers['grpc-status'];
  if (status === undefined) {
    const http = Number(headers[':status'] ?? 200);
    return http === 200
      ? brokenOff()
      : new GrpcError('Unknown', `unexpected HTTP status code received from server: ${http}`);
  }
  if (status === '0') return undefined;
  return new GrpcError(
    grpcCodeName(Number(status)) ?? `Code(${String(status)})`,
    percentDecoded(headers['grpc-message']),
  );
}

function percentDecoded(text: string | string[] | undefined): string {
  const given = String(text ?? '');
  try {
    return decodeURIComponent(given);
  } catch {
    return given;
  }
}
