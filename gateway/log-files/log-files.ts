import { posix } from 'node:path';
import { Readable } from 'node:stream';
import { bytesOfText } from '#shared/apimachinery/text/byte-text.ts';
import { refuseOtherMethods } from '#shared/endpoints/get-only.ts';
import { plainText } from '#shared/filters/filter-tools.ts';
import type { Exchange, OutgoingHeaders } from '#shared/request/exchange.ts';
import { relayBody } from '#shared/request/relay/relay-body.ts';
import type { Handler } from '#shared/request/request-context.ts';
import { checkRepresentations } from '#shared/serializer/negotiate.ts';
import type { PathMux } from '#shared/server/path-mux.ts';
import { contentRange, parseRanges } from './byte-ranges.ts';
import { directoryPage } from './directory-page.ts';
import { partOf, multipartOf, type FileBody } from './file-body.ts';
import { MediaTypes } from './media-types.ts';
import { FileFailure, openFile, type OpenFile } from './open-log-file.ts';
import { checkPreconditions, isModifiedSince } from './preconditions.ts';
import { sniffContentType, sniffedBytes } from './sniff-content-type.ts';

export const logsFolder = '/var/log';

const prefix = '/logs';
const indexName = '/index.html';

/** Serves the files of a folder below `/logs`, for `--enable-logs-handler` (pkg/routes/logs.go). */
export function installLogFiles(mux: PathMux, folder: string): void {
  const handler = serveLogFiles(folder);
  mux.handle(prefix, handler);
  mux.handlePrefix(`${prefix}/`, handler, 'unlisted');
}

interface Requested {
  readonly exchange: Exchange;
  /** One character per byte. */
  readonly path: string;
  readonly types: () => Promise<MediaTypes>;
}

function serveLogFiles(folder: string): Handler {
  let loading: Promise<MediaTypes> | undefined;
  const types = (): Promise<MediaTypes> => (loading ??= MediaTypes.load());
  return async (context) => {
    refuseOtherMethods(context);
    const { exchange, info } = context;
    checkRepresentations(exchange.headers['accept'] as string | undefined, []);
    const path = bytesOfText(info.path);
    try {
      await serve({ exchange, path, types }, folder);
    } catch (error) {
      if (!(error instanceof FileFailure) || exchange.responded) throw error;
      exchange.send(error.status, { ...plainText }, `${error.message}\n`);
    }
  };
}

async function serve(requested: Requested, folder: string): Promise<void> {
  const { exchange, path } = requested;
  if (path.split(/[/\\]/).includes('..')) throw new FileFailure(400, 'invalid URL path');
  const name = posix.join(folder, path.slice(prefix.length));
  if (path.endsWith(indexName)) {
    // Even where there is no such file.
    redirect(exchange, './');
    return;
  }
  const found = await openFile(bytesOf(withoutSlash(name)));
  const isFolder = found.stats.isDirectory();
  if (!isFolder) {
    await sendFile(requested, found, posix.basename(name));
    return;
  }
  await found.handle.close();
  if (path.endsWith('/')) await sendFolder(requested, found, withoutSlash(name));
  else redirect(exchange, `${posix.basename(path)}/`);
}

/** The index of a folder, or a page of its entries. */
async function sendFolder(requested: Requested, { stats }: OpenFile, name: string): Promise<void> {
  const index = await openFile(bytesOf(name + indexName)).catch(() => undefined);
  if (index !== undefined && !index.stats.isDirectory()) {
    await sendFile(requested, index, posix.basename(indexName));
    return;
  }
  await index?.handle.close();
  const { exchange } = requested;
  const [folder, modifiedMs] = index === undefined ? [name, stats.mtimeMs] : [name + indexName, index.stats.mtimeMs];
  if (!isModifiedSince(exchange.headers, secondsOf(modifiedMs))) {
    exchange.send(304, {});
    return;
  }
  const page = await directoryPage(bytesOf(folder));
  exchange.send(200, { 'content-type': 'text/html; charset=utf-8', ...lastModified(modifiedMs) }, page);
}

/** Sends what the client wants of a file, and closes it. */
async function sendFile({ exchange, types }: Requested, { handle, stats }: OpenFile, name: string): Promise<void> {
  let begun = false;
  try {
    const modified = lastModified(stats.mtimeMs);
    const condition = checkPreconditions(exchange.headers, secondsOf(stats.mtimeMs));
    if (condition.outcome !== 'proceed') {
      exchange.send(condition.outcome === 'failed' ? 412 : 304, modified);
      return;
    }
    const contentType = (await types()).find(posix.extname(`a${name}`)) ?? (await sniff(handle));
    const { size } = stats;
    const ranges = parseRanges(condition.range, size);
    if (ranges === 'beyond' || ranges === 'invalid') {
      refuseRange(exchange, ranges, size);
      return;
    }
    const headers: OutgoingHeaders = { 'content-type': contentType, 'accept-ranges': 'bytes', ...modified };
    begun = true;
    const [only, more] = ranges === 'none' ? [{ start: 0, length: size }] : ranges;
    if (ranges !== 'none' && more !== undefined) {
      const body = multipartOf(handle, ranges, { size, contentType });
      sendBody(exchange, 206, { ...headers, 'content-type': body.contentType }, { body, handle });
    } else if (only !== undefined) {
      if (ranges !== 'none') headers['content-range'] = contentRange(only, size);
      sendBody(exchange, ranges === 'none' ? 200 : 206, headers, { body: partOf(handle, only), handle });
    }
  } finally {
    if (!begun) await handle.close();
  }
}

function sendBody(
  exchange: Exchange,
  status: number,
  headers: OutgoingHeaders,
  { body, handle }: { readonly body: FileBody; readonly handle: OpenFile['handle'] },
): void {
  const source = Readable.from(body.pieces(), { objectMode: false });
  source.once('close', () => void handle.close());
  exchange.onClose(() => source.destroy());
  relayBody(source, exchange.stream(status, { ...headers, 'content-length': body.length }));
}

async function sniff(handle: OpenFile['handle']): Promise<string> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(sniffedBytes), 0, sniffedBytes, 0).catch(unreadable);
  return sniffContentType(buffer.subarray(0, bytesRead));
}

/** Of a pipe: it has no positions. */
function unreadable(): never {
  throw new FileFailure(500, "seeker can't seek");
}

function refuseRange(exchange: Exchange, why: 'invalid' | 'beyond', size: number): void {
  if (why === 'beyond') exchange.setHeader('content-range', `bytes */${size}`);
  const text = why === 'beyond' ? 'invalid range: failed to overlap\n' : 'invalid range\n';
  exchange.send(416, { ...plainText }, text);
}

function redirect(exchange: Exchange, to: string): void {
  exchange.send(301, { location: exchange.query === '' ? to : `${to}?${exchange.query}` });
}

function lastModified(modifiedMs: number): OutgoingHeaders {
  const seconds = secondsOf(modifiedMs);
  return seconds === 0 ? {} : { 'last-modified': new Date(seconds * 1000).toUTCString() };
}

function secondsOf(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}

function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
