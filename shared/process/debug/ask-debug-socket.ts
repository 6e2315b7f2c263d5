import { request } from 'node:http';
import type { PageAnswer } from '#shared/observability/profiles/debug-page.ts';

/** Gets a page from the debugging socket of another process on this machine. Rejects if nobody listens there. */
export function askDebugSocket(socketPath: string, target: string, signal: AbortSignal): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath, path: target, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 500,
          headers: textHeaders(response.headers),
          body: Buffer.concat(chunks),
        }),
      );
    });
    call.once('error', reject);
    call.end();
  });
}

/** What describes the body. */
const kept: ReadonlySet<string> = new Set([
  'content-type',
  'content-disposition',
  'x-content-type-options',
  'x-go-pprof',
]);

function textHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      kept.has(name) && typeof value === 'string' ? [[name, value]] : [],
    ),
  );
}
