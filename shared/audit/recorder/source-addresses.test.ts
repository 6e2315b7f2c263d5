import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { sourceAddresses } from './source-addresses.ts';

function addressesOf(remoteAddress: string, headers: Readonly<Record<string, string>> = {}): readonly string[] {
  return sourceAddresses({ remoteAddress, headers } as unknown as Exchange);
}

describe('sourceAddresses', () => {
  it('names the peer of the connection, as Go prints it', () => {
    assert.deepEqual(addressesOf('10.0.0.1'), ['10.0.0.1']);
    assert.deepEqual(addressesOf('::ffff:10.0.0.1'), ['10.0.0.1']);
    assert.deepEqual(addressesOf('FD00:0:0::1'), ['fd00::1']);
    assert.deepEqual(addressesOf(''), []);
  });

  it('puts the addresses that proxies tell before it', () => {
    assert.deepEqual(
      addressesOf('10.0.0.9', { 'x-forwarded-for': '10.0.0.1, odd,fd00::0:1', 'x-real-ip': '010.0.0.2' }),
      ['10.0.0.1', 'fd00::1', '10.0.0.2', '10.0.0.9'],
    );
  });

  it('names no address twice in a row', () => {
    assert.deepEqual(addressesOf('10.0.0.1', { 'x-forwarded-for': '10.0.0.1' }), ['10.0.0.1']);
    assert.deepEqual(addressesOf('10.0.0.2', { 'x-forwarded-for': '10.0.0.1', 'x-real-ip': '10.0.0.1' }), [
      '10.0.0.1',
      '10.0.0.2',
    ]);
  });
});
