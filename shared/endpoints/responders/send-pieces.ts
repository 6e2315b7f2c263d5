import { constants, createGzip } from 'node:zlib';
import { nextSlice, sliceMs, slicesWait } from '#shared/apimachinery/slices/slices.ts';
import type { Pieces } from '#shared/endpoints/forms/list-body.ts';
import type { OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import { relayBody } from '#shared/request/relay/relay-body.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { PieceReader } from './piece-reader.ts';

/** A larger response is compressed if the client accepts gzip, as in the reference. */
export const gzipAboveBytes = 128 * 1024;
/** A larger response is written as the client reads it, so that a slow client holds little memory. */
const streamAboveBytes = 1024 * 1024;
const blockBytes = 256 * 1024;
/** The first block is smaller: a client that reads nothing keeps no more than this in memory. */
const firstBlockBytes = 64 * 1024;

export interface BodyOptions {
  /** Whether a large body is compressed; default: where the request accepts gzip. */
  readonly gzip?: boolean;
  /** The Vary header of compressed responses; default: `Accept-Encoding`. */
  readonly vary?: string;
}

/**
 * Sends a body whose bytes are made as they are written: in slices of time, and only while the client reads them. A
 * short body is sent at once. Rejects where the bytes cannot be made; a response that had begun is then cut off.
 */
export async function sendPieces(
  context: RequestContext,
  status: number,
  contentType: string,
  pieces: Pieces,
  { gzip, vary = 'Accept-Encoding' }: BodyOptions = {},
): Promise<void> {
  const { exchange } = context;
  const reader = new PieceReader(pieces);
  const compress = gzip ?? acceptsGzip(exchange.headers['accept-encoding']);
  const enough = compress ? gzipAboveBytes : streamAboveBytes;
  // Requests that already wait for a slice for their large responses go first.
  if (slicesWait()) await nextSlice();
  reader.read(performance.now() + sliceMs, enough + 1);
  if (compress) await readMore(reader, enough + 1);
  if (exchange.closed) {
    reader.stop();
    return;
  }
  if (compress && reader.bytes > enough)
    await streamPieces(context, status, { 'content-type': contentType, vary }, reader, true);
  else if (reader.done) exchange.send(status, { 'content-type': contentType }, reader.take());
  else await streamPieces(context, status, { 'content-type': contentType }, reader, false);
}

/** Begins a response, and writes the bytes that the reader has and all that follow. */
export function streamPieces(
  context: RequestContext,
  status: number,
  headers: OutgoingHeaders,
  reader: PieceReader,
  compress: boolean,
): Promise<void> {
  const { exchange } = context;
  if (!compress) {
    const stream = exchange.stream(status, headers);
    return writeAll(context, reader, stream, stream);
  }
  const stream = exchange.stream(status, { ...headers, 'content-encoding': 'gzip' });
  const sink = new GzipSink(stream);
  exchange.onClose(() => sink.close());
  return writeAll(context, reader, stream, sink);
}

/** Reads in slices until the reader has this many bytes, or to the end. */
async function readMore(reader: PieceReader, bytes: number): Promise<void> {
  while (!reader.done && reader.bytes < bytes) {
    await nextSlice();
    reader.read(performance.now() + sliceMs, bytes);
  }
}

/** The destination of the bytes; `write` returns false when the caller should wait for a drain. */
interface Sink {
  write(chunk: Uint8Array): boolean;
  onDrain(listener: () => void): void;
  end(): void;
}

async function writeAll(
  { exchange }: RequestContext,
  reader: PieceReader,
  stream: ResponseStream,
  sink: Sink,
): Promise<void> {
  let wake: (() => void) | undefined;
  const go = (): void => wake?.();
  sink.onDrain(go);
  exchange.onClose(go);
  try {
    for (let end = 0, block = firstBlockBytes; ; block = blockBytes) {
      if (exchange.closed) break;
      let taken = true;
      for (const chunk of reader.take(block)) taken = sink.write(chunk);
      if (reader.done && reader.bytes === 0) {
        sink.end();
        return;
      }
      if (!taken) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
        if (exchange.closed) break;
      }
      if (!taken || performance.now() >= end) {
        await nextSlice();
        end = performance.now() + sliceMs;
      }
      if (reader.bytes < blockBytes) reader.read(end, blockBytes);
    }
    reader.stop();
  } catch (cause) {
    reader.stop();
    stream.abort();
    throw new Error('the answer was cut off: its bytes could not be made', { cause });
  }
}

/** Compresses the bytes on their way to the client, in zlib's thread pool. */
class GzipSink implements Sink {
  readonly #gzip = createGzip({ level: constants.Z_BEST_SPEED });

  constructor(stream: ResponseStream) {
    relayBody(this.#gzip, stream);
  }

  write(chunk: Uint8Array): boolean {
    return this.#gzip.write(chunk);
  }

  onDrain(listener: () => void): void {
    this.#gzip.on('drain', listener);
  }

  end(): void {
    this.#gzip.end();
  }

  close(): void {
    this.#gzip.destroy();
  }
}
