import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveServerOptions } from '#shared/server/options/server-options.ts';
import { externalAddress } from './external-address.ts';

describe('externalAddress', () => {
  test('takes the external host name, with the secure port where it has none, or else the advertised address', () => {
    const addressWith = (changed: Parameters<typeof resolveServerOptions>[0]): string =>
      externalAddress(resolveServerOptions({ securePort: 6443, advertiseAddress: '192.0.2.1', ...changed }));
    assert.equal(addressWith({ externalHostname: 'api.example' }), 'api.example:6443');
    assert.equal(addressWith({ externalHostname: 'api.example:8443' }), 'api.example:8443');
    assert.equal(addressWith({}), '192.0.2.1:6443');
    assert.equal(addressWith({ advertiseAddress: '2001:db8::1' }), '[2001:db8::1]:6443');
  });
});
