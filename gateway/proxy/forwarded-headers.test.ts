import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestContext } from '#shared/request/request-context.ts';
import { forwardedClientHeaders } from './forwarded-headers.ts';

describe('forwardedClientHeaders', () => {
  test('removes the bearer token from the subprotocols of a WebSocket', () => {
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
});
