import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Duplex } from 'node:stream';
import { failureStatus, StatusError } from '../../../shared/apimachinery/status.ts';
import type { Exchange } from '../../../shared/request/exchange.ts';
import { joinConnections } from '../../../shared/request/join-connections.ts';
import { addHeaders, passedHeaders } from './answer-headers.ts';
import { dialTimeoutMs, maxAnswerHeaderBytes } from './carry-request.ts';
import { describeFailure } from './describe-failure.ts';
import { passBody } from './pass-body.ts';
import { targetHeaders } from './target-headers.ts';
import type { ProxyTarget } from './target.ts';

/** Requests that ask for another protocol; the listeners hand over the connections of these. */
export function isUpgrade({ headers }: Exchange): boolean {
  return /^(?:websocket|spdy\/3\.1)$/i.test(String(headers['upgrade'] ?? ''));
}

/**
 * A pipe of our own between client and target, for WebSocket and SPDY by any method: http-proxy-3 takes WebSockets by GET only.
 * The two are joined when the target has answered 101. The query is not sent on, as in the reference
 * (apimachinery/pkg/util/proxy/upgradeaware.go, tryUpgrade).
 */
export function upgradeConnection(exchange: Exchange, target: ProxyTarget, path: string): Promise<void> {
  const { method } = exchange;
  const outgoing = (target.scheme === 'https' ? httpsRequest : httpRequest)({
    host: target.host, port: target.port, method, path, agent: target.agent(false), setHost: false, maxHeaderSize: maxAnswerHeaderBytes, timeout: dialTimeoutMs,
    ...(target.lookup === undefined ? {} : { lookup: target.lookup }),
  });
  const headers = targetHeaders(exchange);
  headers.set('Connection', 'Upgrade').set('Upgrade', String(exchange.headers['upgrade']));
  if (!headers.has('User-Agent')) headers.set('User-Agent', 'Go-http-client/1.1');
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') headers.set('Content-Length', '0');
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  exchange.onClose(() => outgoing.destroy());
  limitDial(outgoing);
  let isSent = false;
  outgoing.on('socket', (socket) => socket.once(target.scheme === 'https' ? 'secureConnect' : 'connect', () => (isSent = true)));
  return new Promise((resolve, reject) => {
    outgoing.on('upgrade', (answer, socket, head) => {
      join(exchange, answer, socket, head);
      resolve();
    });
    outgoing.on('response', (answer) => {
      const status = answer.statusCode ?? 0;
      if (status < 400) {
        answer.destroy();
        return reject(new StatusError(failureStatus(500, '', `invalid upgrade response: status code ${status}`)));
      }
      addHeaders(exchange, [...passedHeaders(method, answer), ['connection', 'close']]);
      passBody(exchange, answer, answer);
      resolve();
    });
    outgoing.on('error', (error) => {
      if (exchange.closed || exchange.responded) return resolve();
      reject(new StatusError(failureStatus(500, '', `${isSent ? '' : 'error dialing backend: '}${describeFailure(error, target)}`)));
    });
    outgoing.end();
  });
}

/** Connecting has an end, the answer has none. */
function limitDial(outgoing: ClientRequest): void {
  outgoing.on('timeout', () => {
    if (outgoing.socket?.connecting === true) outgoing.destroy(Object.assign(new Error('the target does not answer'), { code: 'ECONNECT_TIMEOUT' }));
  });
}

function join(exchange: Exchange, answer: IncomingMessage, target: Duplex, head: Buffer): void {
  const taken = exchange.upgrade();
  if (taken === undefined) return void target.destroy();
  const { socket: client, head: clientHead } = taken;
  client.write(headOf(answer));
  if (head.length > 0) client.write(head);
  if (clientHead.length > 0) target.write(clientHead);
  joinConnections(client, target);
}

function headOf({ statusMessage = 'Switching Protocols', rawHeaders }: IncomingMessage): string {
  let text = `HTTP/1.1 101 ${statusMessage}\r\n`;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
  return `${text}\r\n`;
}
