import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { newServiceUnavailable } from '#shared/apimachinery/errors/status.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import { announcedLength, headerValue, headerValues } from '#shared/request/header-values.ts';
import { auditedHeader, proxiedHostHeader } from '#shared/request/proxied-headers.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { BackendPool } from './backend-pool.ts';
import type { Backend } from './backend.ts';
import { forwardedHeaders, isConnectionHeader } from './forwarded-headers.ts';
import { pickOrRefuse } from './pick-backend.ts';

/**
 * Whether a request is for the proxy of a pod, service or node. These are sent over HTTP/1.1, since core forwards them
 * with a library that needs a request object of Node.js.
 */
export function isProxied({ info }: RequestContext): boolean {
  return info.subresource === 'proxy' && info.apiGroup === '' && info.isResourceRequest;
}

/** Additional headers, beyond {@link forwardedHeaders}, of proxy requests and upgrades to core. */
export function proxiedHeaders({ exchange }: RequestContext): string[] {
  const headers = [proxiedHostHeader, headerValue(exchange, 'host') || headerValue(exchange, ':authority')];
  if (headerValue(exchange, 'audit-id') !== '') headers.push(auditedHeader, 'true');
  if (headerValues(exchange, 'te').some((value) => /(?:^|,)\s*trailers\s*(?:$|[,;])/i.test(value)))
    headers.push('te', 'trailers');
  return headers;
}

/** Forwards such a request to core over HTTP/1.1, with both bodies streamed. Resolves when the answer has begun. */
export function forwardProxied(context: RequestContext, pool: BackendPool): Promise<void> {
  const { exchange } = context;
  const headers = withoutNamed(context, [...forwardedHeaders(context), ...proxiedHeaders(context)]);
  addFraming(context, headers);
  const { hasBody } = exchange;
  return new Promise((resolve, reject) => {
    const attempt = (tried: ReadonlySet<Backend> | undefined): void => {
      const backend = pickOrRefuse(pool, tried);
      const request = httpRequest({
        ...(hasBody ? { createConnection: () => backend.dial() } : { agent: backend.http1 }),
        method: exchange.method,
        path: exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`,
        headers,
        setHost: false,
      });
      const release = once(() => backend.release());
      backend.outstanding++;
      exchange.onClose(() => {
        release();
        request.destroy();
      });
      request.on('response', (response) => {
        backend.noteAnswer();
        try {
          relay(context, response, request);
          resolve();
        } catch (error) {
          reject(error);
        }
      });
      request.on('error', (error) => {
        release();
        if (exchange.responded || exchange.closed) return resolve();
        const isDialing = (error as NodeJS.ErrnoException).syscall === 'connect';
        if (isDialing) backend.noteFailure();
        // Core may have closed a kept-alive connection just now; the request is sent again then.
        const again = !hasBody && tried === undefined && (isDialing || request.reusedSocket);
        try {
          if (again) return attempt(new Set(isDialing ? [backend] : []));
        } catch (refused) {
          return reject(refused);
        }
        reject(
          newServiceUnavailable(
            `the connection to the ${pool.name} server was lost before it answered; the request may have been carried out`,
          ),
        );
      });
      if (hasBody) exchange.body.pipe(request);
      else request.end();
    };
    attempt(undefined);
  });
}

function relay({ exchange }: RequestContext, response: IncomingMessage, request: ClientRequest): void {
  const stream = exchange.stream(response.statusCode ?? 502, answerHeaders(response));
  stream.onDrain(() => response.resume());
  response.on('data', (chunk: Buffer) => {
    if (!stream.write(chunk)) response.pause();
  });
  response.on('end', () => {
    if (Object.keys(response.trailers).length > 0) stream.end(response.trailers as OutgoingHeaders);
    else stream.end();
    // The answer is complete, so the rest of the request's body is not needed.
    if (!request.writableFinished) request.destroy();
  });
  response.on('error', () => stream.abort());
}

function answerHeaders({ rawHeaders }: IncomingMessage): OutgoingHeaders {
  const headers: Record<string, string | string[]> = {};
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    if (isConnectionHeader(name)) continue;
    const value = rawHeaders[at + 1] ?? '';
    const present = Object.hasOwn(headers, name) ? headers[name] : undefined;
    setKey(headers, name, present === undefined ? value : [...(Array.isArray(present) ? present : [present]), value]);
  }
  return headers;
}

/** The headers without those that the client's `Connection` header names. */
function withoutNamed({ exchange }: RequestContext, headers: readonly string[]): string[] {
  const named = new Set(
    headerValues(exchange, 'connection')
      .flatMap((value) => value.toLowerCase().split(','))
      .map((name) => name.trim()),
  );
  if (named.size === 0) return [...headers];
  return headers.filter(
    (_text, at) => !named.has((headers[at - (at % 2)] ?? '').toLowerCase()) || isOfHop(headers[at - (at % 2)] ?? ''),
  );
}

function isOfHop(name: string): boolean {
  return /^(?:host|audit-id|x-(?:remote|quarterdeck)-.*)$/i.test(name);
}

/** Adds Content-Length or Transfer-Encoding for the body. */
function addFraming({ exchange }: RequestContext, headers: string[]): void {
  const length = exchange.hasBody ? announcedLength(exchange) : '0';
  if (length === undefined) headers.push('transfer-encoding', 'chunked');
  else headers.push('content-length', length);
}

function once(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
