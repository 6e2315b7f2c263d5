import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Exchange } from '../../shared/request/exchange.ts';
import { joinConnections } from '../../shared/request/join-connections.ts';
import type { RequestContext } from '../../shared/request/request-context.ts';
import { answerHeaders } from './answer-headers.ts';
import { goNetworkError } from '../../shared/request/go-network-error.ts';
import { remoteHeaders, requestTarget } from './remote-headers.ts';
import type { RemoteServer } from './remote-server.ts';
import type { Address } from './resolve-service.ts';
import { sendText } from './send-text.ts';

/** The protocols that the listeners hand over; `Upgrade: h2c` and the like are plain requests. */
export function isUpgradeRequest(exchange: Exchange): boolean {
  return exchange.httpVersion === '1.1' && /^(?:websocket|spdy\/3\.1)$/i.test(String(exchange.headers['upgrade'] ?? ''));
}

/** A connection of its own; the client's is joined to it only once the server has answered 101. */
export function forwardUpgradeRemote(context: RequestContext, server: RemoteServer, address: Address): Promise<void> {
  const { exchange } = context;
  const url = new URL(`https://${address}`);
  const headers = [...remoteHeaders(context, undefined), 'host', address, 'connection', 'Upgrade', 'upgrade', String(exchange.headers['upgrade'])];
  const request = httpsRequest({
    ...server.tls, host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' ? 443 : Number(url.port),
    method: exchange.method, path: requestTarget(context), headers: headers as never, setHost: false, agent: false,
  });
  exchange.onClose(() => request.destroy());
  return new Promise((resolve) => {
    request.on('upgrade', (response, socket, head) => {
      join(context, response, socket, head);
      resolve();
    });
    request.on('response', (response) => {
      relayRefusal(context, response);
      resolve();
    });
    request.on('error', (error) => {
      if (!exchange.responded && !exchange.closed) {
        server.onFailure();
        sendText(context, 503, goNetworkError(error, address));
      }
      resolve();
    });
    request.end();
  });
}

function join(context: RequestContext, response: IncomingMessage, upstream: Duplex, head: Buffer): void {
  const taken = context.exchange.upgrade();
  if (taken === undefined) {
    upstream.destroy();
    sendText(context, 503, 'the connection cannot be upgraded');
    return;
  }
  const { socket: client, head: clientHead } = taken;
  let text = `HTTP/1.1 101 ${response.statusMessage ?? 'Switching Protocols'}\r\n`;
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2) text += `${response.rawHeaders[at]}: ${response.rawHeaders[at + 1]}\r\n`;
  client.write(`${text}\r\n`);
  if (head.length > 0) client.write(head);
  if (clientHead.length > 0) upstream.write(clientHead);
  joinConnections(client, upstream);
}

/** Errors are passed on; anything else is no answer to an upgrade. */
function relayRefusal(context: RequestContext, response: IncomingMessage): void {
  const status = response.statusCode ?? 502;
  if (status < 400) {
    response.destroy();
    sendText(context, 503, `invalid upgrade response: status code ${status}`);
    return;
  }
  const stream = context.exchange.stream(status, { ...answerHeaders(response.headers), connection: 'close' });
  stream.onDrain(() => response.resume());
  response.on('data', (chunk: Buffer) => { if (!stream.write(chunk)) response.pause(); });
  response.on('end', () => stream.end());
  response.on('error', () => stream.abort());
}
