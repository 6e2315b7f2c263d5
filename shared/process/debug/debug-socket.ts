import { chmod, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import type { DebugPages, PageAnswer } from '#shared/observability/profiles/debug-page.ts';

/** Bodies of debugging requests are a number. */
const maxBodyBytes = 1024;

/**
 * The socket for debugging beside the socket of a process: `core-2.dbg` beside `core-2.sock`, whose path is no longer,
 * so that it fits where the other did; `socket.dbg` beside `socket`.
 */
export function debugSocketOf(socket: string): string {
  return socket.replace(/(?:\.sock)?$/, '.dbg');
}

/**
 * Serves pages for debugging to whoever may open a Unix socket. The first connection loads HTTP, so that the socket
 * costs nothing before. It does not keep the process running.
 */
export function openDebugSocket(path: string, pages: DebugPages, onError: (error: Error) => void): void {
  const listener = createServer({ pauseOnConnect: true }, (socket) => {
    socket.unref();
    // Who connects may leave before HTTP is loaded.
    socket.on('error', () => undefined);
    void import('node:http').then(({ createServer: createHttpServer }) => {
      const server = createHttpServer((request, response) => void answer(request, response, pages));
      server.emit('connection', socket);
      socket.resume();
    });
  });
  listener.on('error', onError);
  listener.unref();
  try {
    rmSync(path, { force: true });
    listener.listen(path, () => chmod(path, 0o600, (error) => (error === null ? undefined : onError(error))));
  } catch (error) {
    onError(error as Error);
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, pages: DebugPages): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const url = URL.parse(request.url ?? '/', 'http://socket');
  if (url === null) return void response.writeHead(400).end();
  const { status, headers, body } = await pages({
    method: request.method ?? '',
    path: url.pathname,
    query: url.searchParams,
    body: () => bodyOf(request),
    signal: gone.signal,
  }).then(
    (found) => found ?? notFound,
    (error: unknown): PageAnswer => ({ ...notFound, status: 500, body: `${(error as Error).message}\n` }),
  );
  response.writeHead(status, headers).end(body);
}

const notFound: PageAnswer = { status: 404, headers: { 'content-type': 'text/plain' }, body: '404 page not found\n' };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error(`the body has more than ${maxBodyBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
