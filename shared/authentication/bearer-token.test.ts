import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import {
  bearerTokenAuthenticator,
  hasSpacedToken,
  websocketTokenAuthenticator,
  withoutTokens,
} from './bearer-token.ts';
import type { AuthenticationResult, TokenAuthenticator } from './contract/authenticator.ts';

const tokens: TokenAuthenticator = {
  authenticateToken: (token) =>
    token === 'good' ? { user: { name: 'alice', uid: '', groups: [], extra: {} } } : undefined,
};
const exchangeWith = (headers: Readonly<Record<string, string>>): Exchange => ({ headers }) as unknown as Exchange;

/** The user, `none` where there is no token, or why it is refused. */
function who(authenticator: ReturnType<typeof bearerTokenAuthenticator>, headers: Record<string, string>): string {
  try {
    const answer = authenticator.authenticate(exchangeWith(headers)) as AuthenticationResult | undefined;
    return answer?.user.name ?? 'none';
  } catch (error) {
    return (error as Error).message;
  }
}

describe('bearerTokenAuthenticator', () => {
  // Accepted and refused as in apiserver/pkg/authentication/request/bearertoken/bearertoken_test.go.
  test('takes the second word of Authorization after "Bearer" in any case', () => {
    const ask = (authorization: string): string => who(bearerTokenAuthenticator(tokens), { authorization });
    for (const header of ['Bearer good', 'bearer good', '  Bearer good  ', 'Bearer good more'])
      assert.equal(ask(header), 'alice', header);
    for (const header of ['', 'Bearer', 'Bearer ', 'Bearer  good', 'Basic good', 'good'])
      assert.equal(ask(header), 'none', header);
    assert.equal(ask('Bearer bad'), 'invalid bearer token');
    assert.equal(who(bearerTokenAuthenticator(tokens), {}), 'none');
  });
});

describe('hasSpacedToken', () => {
  test('is true for two spaces after Bearer', () => {
    assert.equal(hasSpacedToken(exchangeWith({ authorization: 'Bearer  good' })), true);
    assert.equal(hasSpacedToken(exchangeWith({ authorization: 'Bearer good' })), false);
  });
});

describe('websocketTokenAuthenticator', () => {
  // As in apiserver/pkg/authentication/request/websocket/protocol_test.go.
  test('takes a token from a subprotocol only beside another one', () => {
    const carrier = (token: string): string =>
      `base64url.bearer.authorization.k8s.io.${Buffer.from(token).toString('base64url')}`;
    const ask = (protocols: string, upgrade = 'websocket'): string =>
      who(websocketTokenAuthenticator(tokens), {
        upgrade,
        connection: 'Upgrade',
        'sec-websocket-protocol': protocols,
      });
    assert.equal(ask(`${carrier('good')},dummy`), 'alice');
    assert.equal(ask(`dummy, ${carrier('good')}`), 'alice');
    assert.equal(ask('dummy'), 'none');
    assert.equal(ask(`${carrier('good')},dummy`, 'SPDY/3.1'), 'none');
    assert.equal(ask(`${carrier('')},dummy`), 'none');
    assert.equal(ask(carrier('good')), 'missing additional subprotocol');
    assert.equal(
      ask(`${carrier('good')},${carrier('good')},dummy`),
      'multiple base64.bearer.authorization tokens specified',
    );
    assert.equal(
      ask('base64url.bearer.authorization.k8s.io.!,dummy'),
      'invalid base64.bearer.authorization token encoding',
    );
    assert.equal(
      ask(`base64url.bearer.authorization.k8s.io.${Buffer.of(0xff).toString('base64url')},dummy`),
      'invalid base64.bearer.authorization token',
    );
    assert.equal(ask(`${carrier('bad')},dummy`), 'invalid bearer token');
  });
});

describe('withoutTokens', () => {
  test('removes token subprotocols and keeps the others', () => {
    assert.equal(withoutTokens('a, base64url.bearer.authorization.k8s.io.Zg, b'), 'a,b');
    assert.equal(withoutTokens('base64url.bearer.authorization.k8s.io.Zg'), undefined);
    assert.equal(withoutTokens('a, b'), 'a, b');
  });
});
