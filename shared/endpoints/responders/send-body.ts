import type { Pieces } from '#shared/endpoints/forms/list-body.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { PieceReader } from './piece-reader.ts';
import { gzipAboveBytes, sendPieces, streamPieces, type BodyOptions } from './send-pieces.ts';

export type { BodyOptions } from './send-pieces.ts';

/** A body of this size or more is sent in pieces, as the client reads it. */
const largeBytes = 256 * 1024;

/** Sends a complete body: at once, or compressed and in pieces if it is large. The chunks are not modified. */
export function sendBody(
  context: RequestContext,
  status: number,
  contentType: string,
  chunks: readonly Uint8Array[],
  options: BodyOptions = {},
): void {
  const { exchange } = context;
  let size = 0;
  for (const chunk of chunks) size += chunk.length;
  const compress = size > gzipAboveBytes && (options.gzip ?? acceptsGzip(exchange.headers['accept-encoding']));
  if (!compress && size <= largeBytes) {
    exchange.send(status, { 'content-type': contentType }, chunks);
    return;
  }
  const headers = compress
    ? { 'content-type': contentType, vary: options.vary ?? 'Accept-Encoding' }
    : { 'content-type': contentType, 'content-length': size };
  // Once the response has begun, only the connection can fail, and the client sees that the connection is closed.
  streamPieces(context, status, headers, new PieceReader(chunks), compress).catch(() => undefined);
}

/** Sends a body whose bytes exist already or are made as they are written. */
export function sendForm(
  context: RequestContext,
  status: number,
  contentType: string,
  pieces: Pieces,
): void | Promise<void> {
  if (!Array.isArray(pieces)) return sendPieces(context, status, contentType, pieces);
  sendBody(context, status, contentType, pieces as readonly Uint8Array[]);
}
