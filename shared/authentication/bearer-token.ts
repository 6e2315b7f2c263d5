import { isUtf8 } from 'node:buffer';
import { textOfBytes } from '#shared/apimachinery/text/byte-text.ts';
import { trimSpace } from '#shared/apimachinery/text/trim-space.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { headerValue } from '#shared/request/header-values.ts';
import {
  AuthenticationError,
  type AuthenticationAnswer,
  type RequestAuthenticator,
  type TokenAuthenticator,
} from './contract/authenticator.ts';
import { decodeRawUrl } from './jwt/signed-token.ts';

const protocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/** `Authorization: Bearer …`. A token that no authenticator knows is an error, not an absent credential. */
export function bearerTokenAuthenticator(tokens: TokenAuthenticator): RequestAuthenticator {
  return {
    authenticate(exchange) {
      const header = exchange.headers['authorization'];
      if (typeof header !== 'string') return undefined;
      const token = usualForm.test(header) ? header.slice(usualScheme.length) : unusualToken(header);
      return token === undefined ? undefined : required(tokens.authenticateToken(token, []));
    },
  };
}

/** The form in which nearly all clients send a token: nothing has to be trimmed, decoded or split. */
const usualForm = /^Bearer [!-~]+$/;
const usualScheme = 'Bearer ';

function unusualToken(header: string): string | undefined {
  const [scheme = '', token = ''] = trimSpace(textOfBytes(header)).split(' ', 3);
  return token === '' || scheme.toLowerCase() !== 'bearer' ? undefined : token;
}

/** `Bearer  token` with two spaces: a mistake by which the request counts as anonymous. */
export function hasSpacedToken({ headers: { authorization } }: Exchange): boolean {
  return typeof authorization === 'string' && /^bearer  /i.test(trimSpace(textOfBytes(authorization)));
}

/**
 * Browsers cannot set headers on a WebSocket: the token comes as a subprotocol beside a real one
 * (apiserver/pkg/authentication/request/websocket).
 */
export function websocketTokenAuthenticator(tokens: TokenAuthenticator): RequestAuthenticator {
  return {
    authenticate(exchange) {
      if (!isWebSocketRequest(exchange)) return undefined;
      const protocols = webSocketProtocols(exchange);
      const carriers = protocols.filter(carriesToken);
      const [carrier] = carriers;
      if (carrier === undefined) return undefined;
      if (carriers.length > 1) throw new AuthenticationError('multiple base64.bearer.authorization tokens specified');
      const token = decodeRawUrl(carrier.slice(protocolPrefix.length));
      if (token === undefined) throw new AuthenticationError('invalid base64.bearer.authorization token encoding');
      if (!isUtf8(token)) throw new AuthenticationError('invalid base64.bearer.authorization token');
      if (token.length === 0) return undefined;
      if (protocols.length === 1) throw new AuthenticationError('missing additional subprotocol');
      return required(tokens.authenticateToken(token.toString('utf8'), []));
    },
  };
}

function isWebSocketRequest(exchange: Exchange): boolean {
  return (
    headerValue(exchange, 'upgrade').toLowerCase() === 'websocket' &&
    /(?:^|,\s*)upgrade(?:$|\s*,)/i.test(headerValue(exchange, 'connection'))
  );
}

function webSocketProtocols({ headers }: Exchange): string[] {
  const value = headers['sec-websocket-protocol'];
  if (value === undefined) return [];
  return (typeof value === 'string' ? value : value.join(',')).split(',').map((protocol) => protocol.trim());
}

function carriesToken(protocol: string): boolean {
  return protocol.startsWith(protocolPrefix);
}

/**
 * The subprotocols of a header without the tokens among them, which must not get past the gateway; undefined if no
 * other is left.
 */
export function withoutTokens(protocols: string): string | undefined {
  if (!protocols.includes(protocolPrefix)) return protocols;
  const others = protocols
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => !carriesToken(protocol));
  return others.length === 0 ? undefined : others.join(',');
}

function required(
  answer: AuthenticationAnswer | Promise<AuthenticationAnswer>,
): AuthenticationAnswer | Promise<AuthenticationAnswer> {
  return answer instanceof Promise ? answer.then(known) : known(answer);
}

function known(answer: AuthenticationAnswer): AuthenticationAnswer {
  if (answer === undefined) throw new AuthenticationError('invalid bearer token');
  return answer;
}
