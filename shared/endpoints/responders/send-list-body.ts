import { nextSlice, sliceMs, slicesWait } from '#shared/apimachinery/slices/slices.ts';
import { endOfRun, itemPieces, listPieces, type ListBody } from '#shared/endpoints/forms/list-body.ts';
import type { OutgoingHeaders, ResponseStream } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { knownRun } from './gzip/compressed-runs.ts';
import { GzipStream } from './gzip/gzip-stream.ts';
import { gzipAboveBytes, sendPieces } from './send-pieces.ts';

/**
 * Sends a list. For clients that accept gzip, the body is built from compressed runs, which are shared with other
 * lists.
 */
export async function sendListBody(context: RequestContext, contentType: string, body: ListBody): Promise<void> {
  if (!acceptsGzip(context.exchange.headers['accept-encoding']) || !isLarge(body))
    return sendPieces(context, 200, contentType, listPieces(body), { gzip: false });
  const headers: OutgoingHeaders = { 'content-type': contentType, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
  const gzip = new GzipStream(body);
  if (slicesWait()) await nextSlice();
  if (gzip.work(sliceMs)) context.exchange.send(200, headers, gzip.take());
  else await pump(context, context.exchange.stream(200, headers), gzip);
}

/** Writes slice by slice, and waits for a drain where the transport's buffer is full. */
async function pump({ exchange }: RequestContext, stream: ResponseStream, gzip: GzipStream): Promise<void> {
  let wake: (() => void) | undefined;
  const go = (): void => wake?.();
  stream.onDrain(go);
  exchange.onClose(go);
  try {
    for (let complete = false; !exchange.closed;) {
      const bytes = gzip.take();
      const taken = bytes.length === 0 || stream.write(bytes);
      if (complete) return stream.end();
      if (!taken) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      await nextSlice();
      if (!exchange.closed) complete = gzip.work(sliceMs);
    }
  } catch (cause) {
    stream.abort();
    throw new Error('the list was cut off: its bytes could not be made', { cause });
  }
}

function isLarge(body: ListBody): boolean {
  let size = 0;
  for (const chunk of [...body.head, ...body.tail]) size += chunk.length;
  for (let start = 0, end = 0; start < body.entries.length; start = end) {
    end = endOfRun(body.entries, start);
    const known = knownRun(body, body.entries, start, end);
    if (known !== undefined) size += known.length;
    else for (const chunk of itemPieces(body, start, end)) if ((size += chunk.length) > gzipAboveBytes) return true;
    if (size > gzipAboveBytes) return true;
    size += body.between.length;
  }
  return size > gzipAboveBytes;
}
