import { constants, createGzip } from 'node:zlib';
import { nextSlice, slicesWait } from '../../apimachinery/slices.ts';
import type { OutgoingHeaders, ResponseStream } from '../../request/exchange.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { Pieces } from '../forms/list-body.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { PieceReader } from './piece-reader.ts';

/** From here on an answer is compressed for who asks for it, as in the reference. */
export const gzipAboveBytes = 128 * 1024;
/** From here on an answer is written as the client takes it, so that slow ones hold little memory. */
const streamAboveBytes = 1024 * 1024;
const blockBytes = 256 * 1024;
/** The first block is smaller: a client that takes nothing leaves no more than that in memory. */
const firstBlockBytes = 64 * 1024;
/** Longest stretch of work for one answer; then others run. */
const sliceMs = 3;

export interface BodyOptions {
  /** Whether a large body is compressed; default: as the request accepts it. */
  readonly gzip?: boolean;
  /** The header of compressed answers; `Accept-Encoding` unless given. */
  readonly vary?: string;
}

/**
 * Sends a body whose bytes are made as they are written: in slices of time, and only while the client takes them. A
 * short one goes out in one go. Rejects where the bytes cannot be made; an answer that had begun is cut off then.
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
  // Who works on large answers already goes first.
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

/** Begins an answer, and writes what the reader has and what comes from it. */
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

/** Reads so many bytes in slices, or all that there are. */
async function readMore(reader: PieceReader, bytes: number): Promise<void> {
  while (!reader.done && reader.bytes < bytes) {
    await nextSlice();
    reader.read(performance.now() + sliceMs, bytes);
  }
}

/** Where bytes go; false when they should wait for a drain. */
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

/** Compresses in a thread of its own on the way to the client. */
class GzipSink implements Sink {
  readonly #gzip = createGzip({ level: constants.Z_BEST_SPEED });

  constructor(stream: ResponseStream) {
    const gzip = this.#gzip;
    gzip.on('data', (block: Buffer) => {
      if (!stream.write(block)) gzip.pause();
    });
    stream.onDrain(() => gzip.resume());
    gzip.on('end', () => stream.end());
    gzip.on('error', () => stream.abort());
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
