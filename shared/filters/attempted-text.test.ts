import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { attemptedText } from './attempted-text.ts';

function textOf(authorization: string, query = '', certificates: readonly Buffer[] = []): string {
  const headers = authorization === '' ? {} : { authorization };
  return attemptedText({ headers, query, peerCertificates: () => certificates } as unknown as Exchange);
}

/** Texts of apiserver/pkg/endpoints/filters/authn_audit.go. */
describe('attemptedText', () => {
  it('names the kinds of credentials, and none of them', () => {
    assert.equal(textOf(''), 'Authentication failed, no credentials provided');
    assert.equal(textOf('Bearer secret'), 'Authentication failed, attempted: bearer');
    assert.equal(textOf('bearer'), 'Authentication failed, no credentials provided');
    assert.equal(textOf('Basic YTpi'), 'Authentication failed, attempted: basic');
    assert.equal(textOf('Basic %'), 'Authentication failed, no credentials provided');
    assert.equal(
      textOf('Bearer secret', 'access_token=secret', [Buffer.from('x')]),
      'Authentication failed, attempted: bearer, access_token, x509',
    );
  });
});
