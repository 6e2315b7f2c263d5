import type { RequestContext } from '../../request/request-context.ts';
import type { OutgoingHeaders, ResponseStream } from '../../request/exchange.ts';
import { runBytes } from './gzip/compressed-runs.ts';
import { GzipStream } from './gzip/gzip-stream.ts';
import { nextSlice } from '../../apimachinery/slices.ts';
import { listBodyChunks, type ListBody } from '../forms/list-body.ts';
import { acceptsGzip } from './accept-encoding.ts';
import { gzipAboveBytes, sendBody } from './send-body.ts';

/** Compressing lets others run after this time. */
const sliceMs = 3;

/** Sends a list; whoever takes gzip gets it from runs that other lists have in common with this one. */
export function sendListBody(context: RequestContext, contentType: string, body: ListBody): void {
  if (!acceptsGzip(context.exchange.headers['accept-encoding']) || !isLarge(body)) {
    sendBody(context, 200, contentType, listBodyChunks(body));
    return;
  }
  const headers: OutgoingHeaders = { 'content-type': contentType, 'content-encoding': 'gzip', vary: 'Accept-Encoding' };
  const gzip = new GzipStream(body);
  if (gzip.work(sliceMs)) context.exchange.send(200, headers, gzip.take());
  else pump(context.exchange.stream(200, headers), gzip, context);
}

/** Writes slice by slice while the transport takes it. */
function pump(stream: ResponseStream, gzip: GzipStream, context: RequestContext): void {
  let complete = false;
  const go = (): void => {
    if (context.exchange.closed) return;
    const taken = stream.write(gzip.take());
    if (complete) {
      stream.end();
      return;
    }
    if (taken) void nextSlice().then(work);
  };
  const work = (): void => {
    if (context.exchange.closed || complete) return;
    complete = gzip.work(sliceMs);
    go();
  };
  stream.onDrain(() => void nextSlice().then(work));
  go();
}

function isLarge(body: ListBody): boolean {
  let size = 0;
  for (const run of body.runs) {
    size += runBytes(body, run);
    if (size > gzipAboveBytes) return true;
  }
  for (const chunk of [...body.head, ...body.tail]) size += chunk.length;
  return size > gzipAboveBytes;
}
