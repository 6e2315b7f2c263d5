import { headerValue } from '../request/header-values.ts';
import type { Exchange } from '../request/exchange.ts';
import { AuthenticationError, type AuthenticationAnswer, type RequestAuthenticator, type TokenAuthenticator } from './authenticator.ts';

const protocolPrefix = 'base64url.bearer.authorization.k8s.io.';

/** `Authorization: Bearer …`. A token that nobody knows is an error, not an absent credential. */
export function bearerTokenAuthenticator(tokens: TokenAuthenticator): RequestAuthenticator {
  return {
    authenticate(exchange) {
      const header = exchange.headers['authorization'];
      if (typeof header !== 'string') return undefined;
      const [scheme = '', token = ''] = header.trim().split(' ', 3);
      if (token === '' || scheme.toLowerCase() !== 'bearer') return undefined;
      return required(tokens.authenticateToken(token, []));
    },
  };
}

/** `Bearer  token`, with a space too many: a mistake that leaves the client anonymous. */
export function hasSpacedToken({ headers: { authorization } }: Exchange): boolean {
  return typeof authorization === 'string' && /^bearer  /i.test(authorization.trim());
}

/** Browsers cannot set headers on a WebSocket: the token comes as a subprotocol beside a real one. */
export function websocketTokenAuthenticator(tokens: TokenAuthenticator): RequestAuthenticator {
  return {
    authenticate(exchange) {
      if (headerValue(exchange, 'upgrade').toLowerCase() !== 'websocket') return undefined;
      const protocols = headerProtocols(exchange);
      const carriers = protocols.filter((protocol) => protocol.startsWith(protocolPrefix));
      const [carrier] = carriers;
      if (carrier === undefined) return undefined;
      if (carriers.length > 1) throw new AuthenticationError('multiple base64.bearer.authorization tokens specified');
      if (protocols.length === 1) throw new AuthenticationError('missing additional subprotocol');
      const token = Buffer.from(carrier.slice(protocolPrefix.length), 'base64url').toString('utf8');
      return required(tokens.authenticateToken(token, []));
    },
  };
}

function headerProtocols(exchange: Exchange): string[] {
  const value = exchange.headers['sec-websocket-protocol'];
  return (typeof value === 'string' ? value : (value ?? []).join(',')).split(',').map((protocol) => protocol.trim()).filter((protocol) => protocol !== '');
}

function required(answer: AuthenticationAnswer | Promise<AuthenticationAnswer>): AuthenticationAnswer | Promise<AuthenticationAnswer> {
  return answer instanceof Promise ? answer.then(known) : known(answer);
}

function known(answer: AuthenticationAnswer): AuthenticationAnswer {
  if (answer === undefined) throw new AuthenticationError('invalid bearer token');
  return answer;
}
