import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import { forwardedClientHeaders } from './forwarded-headers.ts';

test('a token among the subprotocols of a WebSocket goes to no backend', () => {
  const token = 'base64url.bearer.authorization.k8s.io.dG9rZW4';
  const sent = (...protocols: string[]): string[] => {
    const rawHeaders = ['Accept', '*/*', ...protocols.flatMap((protocol) => ['Sec-WebSocket-Protocol', protocol])];
    return forwardedClientHeaders({ exchange: { rawHeaders, headers: {} } } as unknown as RequestContext).slice(2);
  };
  assert.deepEqual(sent(`${token}, v1`), ['Sec-WebSocket-Protocol', 'v1']);
  assert.deepEqual(sent(` v1 ,${token},v2`), ['Sec-WebSocket-Protocol', 'v1,v2']);
  assert.deepEqual(sent(token, 'v1'), ['Sec-WebSocket-Protocol', 'v1']);
  assert.deepEqual(sent(token), []);
  assert.deepEqual(sent('v1, v2'), ['Sec-WebSocket-Protocol', 'v1, v2']);
});
