import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { setKey } from '../../shared/apimachinery/json.ts';
import { newServiceUnavailable } from '../../shared/apimachinery/status.ts';
import type { OutgoingHeaders } from '../../shared/request/exchange.ts';
import { joinConnections } from '../../shared/request/join-connections.ts';
import type { RequestContext } from '../../shared/request/request-context.ts';
import type { Backend } from './backend.ts';
import { isProxied, proxiedHeaders } from './forward-proxied.ts';
import { forwardedHeaders, isConnectionHeader } from './forwarded-headers.ts';

/**
 * WebSocket and SPDY: the client's connection is joined to the backend's only once the backend has answered 101. Before
 * that nothing of what the client sends goes on, or a refused upgrade would leave it a line to the internal listener.
 */
export function forwardUpgrade(context: RequestContext, backend: Backend): Promise<void> {
  const { exchange } = context;
  const headers = [...forwardedHeaders(context), ...(isProxied(context) ? proxiedHeaders(context) : [])];
  headers.push('connection', 'Upgrade', 'upgrade', String(exchange.headers['upgrade'] ?? ''));
  const length = exchange.headers['content-length'];
  if (length !== undefined && length !== '0') headers.push('content-length', String(length));
  const request = httpRequest({
    createConnection: backend.dial,
    method: exchange.method,
    path: exchange.query === '' ? exchange.path : `${exchange.path}?${exchange.query}`,
    headers: headers as never,
    setHost: false,
  });
  backend.outstanding++;
  exchange.onClose(() => {
    backend.release();
    request.destroy();
  });
  return new Promise((resolve, reject) => {
    request.on('upgrade', (response, socket, head) => {
      join(context, request, response, socket, head);
      resolve();
    });
    request.on('response', (response) => {
      relayRefusal(context, response);
      resolve();
    });
    request.on('error', (error) => {
      if (exchange.responded || exchange.closed) resolve();
      else reject(newServiceUnavailable(`the backend did not take the upgrade: ${error.message}`));
    });
    request.end();
  });
}

function join(context: RequestContext, request: ClientRequest, response: IncomingMessage, upstream: Duplex, head: Buffer): void {
  const taken = context.exchange.upgrade();
  if (taken === undefined) {
    request.destroy();
    throw new Error('the connection cannot be upgraded');
  }
  const { socket: client, head: clientHead } = taken;
  client.write(statusLine(response));
  if (head.length > 0) client.write(head);
  if (clientHead.length > 0) upstream.write(clientHead);
  joinConnections(client, upstream);
}

function statusLine(response: IncomingMessage): string {
  let text = `HTTP/1.1 ${response.statusCode ?? 101} ${response.statusMessage ?? 'Switching Protocols'}\r\n`;
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2) text += `${response.rawHeaders[at]}: ${response.rawHeaders[at + 1]}\r\n`;
  return `${text}\r\n`;
}

function relayRefusal({ exchange }: RequestContext, response: IncomingMessage): void {
  const headers: OutgoingHeaders = { connection: 'close' };
  for (const [name, value] of Object.entries(response.headers)) if (value !== undefined && !isConnectionHeader(name)) setKey(headers, name, value);
  const stream = exchange.stream(response.statusCode ?? 502, headers);
  stream.onDrain(() => response.resume());
  response.on('data', (chunk: Buffer) => { if (!stream.write(chunk)) response.pause(); });
  response.on('end', () => stream.end());
  response.on('error', () => stream.abort());
}
