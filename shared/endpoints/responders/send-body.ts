import { constants, createGzip } from 'node:zlib';
import type { RequestContext } from '../../request/request-context.ts';
import type { OutgoingHeaders, ResponseStream } from '../../request/exchange.ts';
import { acceptsGzip } from './accept-encoding.ts';

/** From here on an answer is compressed for who asks for it, as in the reference. */
export const gzipAboveBytes = 128 * 1024;
/** From here on an answer is written piece by piece as the client takes it, so that slow ones hold little memory. */
const streamAboveBytes = 1024 * 1024;
const blockBytes = 256 * 1024;

export interface BodyOptions {
  /** Whether the body is compressed where it is large; told by the request unless given. */
  readonly gzip?: boolean;
  /** The header of compressed answers; `Accept-Encoding` unless given. */
  readonly vary?: string;
}

/** Sends a body in one go, or compressed, or streamed when it is large. The chunks stay as they are. */
export function sendBody(context: RequestContext, status: number, contentType: string, chunks: readonly Uint8Array[], { gzip, vary = 'Accept-Encoding' }: BodyOptions = {}): void {
  const { exchange } = context;
  let size = 0;
  for (const chunk of chunks) size += chunk.length;
  const headers: OutgoingHeaders = { 'content-type': contentType };
  if (size > gzipAboveBytes && (gzip ?? acceptsGzip(exchange.headers['accept-encoding']))) {
    sendCompressed(context, status, { ...headers, vary }, chunks);
    return;
  }
  if (size <= streamAboveBytes) {
    exchange.send(status, headers, chunks.length > 8 && size > blockBytes / 8 ? [...blocksOf(chunks)] : chunks);
    return;
  }
  headers['content-length'] = size;
  pump(exchange.stream(status, headers), blocksOf(chunks), context);
}

/** Many small buffers to few large ones: a write costs more than a copy. */
function* blocksOf(chunks: readonly Uint8Array[]): Generator<Uint8Array> {
  let pending: Uint8Array[] = [];
  let size = 0;
  for (const chunk of chunks) {
    pending.push(chunk);
    size += chunk.length;
    if (size >= blockBytes) {
      yield Buffer.concat(pending, size);
      pending = [];
      size = 0;
    }
  }
  if (size > 0) yield Buffer.concat(pending, size);
}

/** Writes while the transport takes it. */
function pump(stream: ResponseStream, blocks: Iterator<Uint8Array>, context: RequestContext): void {
  const go = (): void => {
    for (;;) {
      if (context.exchange.closed) return;
      const { value, done } = blocks.next();
      if (done === true) {
        stream.end();
        return;
      }
      if (!stream.write(value)) return;
    }
  };
  stream.onDrain(go);
  go();
}

function sendCompressed(context: RequestContext, status: number, headers: OutgoingHeaders, chunks: readonly Uint8Array[]): void {
  headers['content-encoding'] = 'gzip';
  const stream = context.exchange.stream(status, headers);
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  gzip.on('data', (block: Buffer) => {
    if (!stream.write(block)) gzip.pause();
  });
  stream.onDrain(() => gzip.resume());
  gzip.on('end', () => stream.end());
  gzip.on('error', () => stream.abort());
  context.exchange.onClose(() => gzip.destroy());
  const blocks = blocksOf(chunks);
  const feed = (): void => {
    for (;;) {
      const { value, done } = blocks.next();
      if (done === true) {
        gzip.end();
        return;
      }
      if (!gzip.write(value)) return;
    }
  };
  gzip.on('drain', feed);
  feed();
}
