import { request as httpRequest, type ClientRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { goUserAgent, plainError } from '#servers/core/kubelet/kubelet-request.ts';
import { targetHeaders } from '#servers/core/kubelet/target-headers.ts';
import { DirectReads } from '#shared/request/direct-reads.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { invalidUpgradeAnswer, relayRefusal } from '#shared/request/relay/relay-refusal.ts';
import { relayUpgrade } from '#shared/request/relay/relay-upgrade.ts';
import { addHeaders, passedHeaders } from './answer-headers.ts';
import { dialTimeoutMs, maxAnswerHeaderBytes } from './carry-request.ts';
import { describeFailure } from './describe-failure.ts';
import type { ProxyTarget } from './target.ts';

/**
 * Pipes a WebSocket or SPDY connection between client and target, for any method; http-proxy-3 supports only WebSockets
 * with GET. The connections are joined when the target has responded with 101. As in the reference, the query is not
 * sent on (apimachinery/pkg/util/proxy/upgradeaware.go, tryUpgrade).
 */
export function upgradeConnection(exchange: Exchange, target: ProxyTarget, path: string): Promise<void> {
  const { method } = exchange;
  const reads = new DirectReads();
  const outgoing = (target.scheme === 'https' ? httpsRequest : httpRequest)({
    ...reads.requestOptions,
    host: target.host,
    port: target.port,
    method,
    path,
    agent: target.agent(false),
    setHost: false,
    maxHeaderSize: maxAnswerHeaderBytes,
    timeout: dialTimeoutMs,
    ...(target.lookup === undefined ? {} : { lookup: target.lookup }),
  });
  const headers = targetHeaders(exchange);
  headers.set('Connection', 'Upgrade').set('Upgrade', String(exchange.headers['upgrade']));
  if (!headers.has('User-Agent')) headers.set('User-Agent', goUserAgent);
  if (method === 'POST' || method === 'PUT' || method === 'PATCH') headers.set('Content-Length', '0');
  for (const [name, value] of headers) outgoing.setHeader(name, value);
  limitDial(outgoing);
  let isSent = false;
  outgoing.on('socket', (socket) => {
    if (target.isDialed && target.scheme === 'http') isSent = true;
    else socket.once(target.scheme === 'https' ? 'secureConnect' : 'connect', () => (isSent = true));
  });
  return relayUpgrade(exchange, outgoing, reads, {
    bytesPerSecond: target.bytesPerSecond,
    onFailure(error) {
      const text = describeFailure(error as Error, target);
      // Go's http.ReadResponse, which the proxy calls itself for upgrades, words it so.
      if (isSent && text === 'EOF') throw plainError('unexpected EOF');
      throw plainError(`${isSent ? '' : 'error dialing backend: '}${text}`);
    },
    onRefusal(answer) {
      const invalid = invalidUpgradeAnswer(answer);
      if (invalid !== undefined) throw plainError(invalid);
      addHeaders(exchange, passedHeaders(method, answer));
      relayRefusal(exchange, answer, {});
    },
  });
}

/** Aborts on a timeout only while the socket connects; the response may take any time. */
function limitDial(outgoing: ClientRequest): void {
  outgoing.on('timeout', () => {
    if (outgoing.socket?.connecting === true)
      outgoing.destroy(Object.assign(new Error('the target does not answer'), { code: 'ECONNECT_TIMEOUT' }));
  });
}
