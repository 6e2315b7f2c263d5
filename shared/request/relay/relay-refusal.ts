import type { IncomingMessage } from 'node:http';
import type { Exchange, OutgoingHeaders } from '#shared/request/exchange.ts';
import { answerHeaders } from './connection-headers.ts';
import { relayBody } from './relay-body.ts';

/**
 * Passes the answer of a server that has not upgraded on to the client, whose connection ends with it: bytes that the
 * client has sent for the other protocol must not be read as a request.
 */
export function relayRefusal(
  exchange: Exchange,
  answer: IncomingMessage,
  headers: OutgoingHeaders = answerHeaders(answer.rawHeaders),
): void {
  relayBody(answer, exchange.stream(answer.statusCode ?? 502, { connection: 'close', ...headers }), answer);
}

/**
 * The error text for an answer to an upgrade request that is neither an upgrade nor an error, as in the reference
 * (apimachinery/pkg/util/proxy); the answer is discarded. Undefined for an error status, which may be passed on.
 */
export function invalidUpgradeAnswer(answer: IncomingMessage): string | undefined {
  const status = answer.statusCode ?? 0;
  if (status >= 400) return undefined;
  answer.destroy();
  return `invalid upgrade response: status code ${status}`;
}
