import assert from 'node:assert/strict';
import { test } from 'node:test';
import { externalAddress } from './external-address.ts';
import { resolveServerOptions } from '../server/options/server-options.ts';

test('clients are told the external host name, with its port or ours, and without one the advertised address', () => {
  const told = (changed: Parameters<typeof resolveServerOptions>[0]): string =>
    externalAddress(resolveServerOptions({ securePort: 6443, advertiseAddress: '192.0.2.1', ...changed }));
  assert.equal(told({ externalHostname: 'api.example' }), 'api.example:6443');
  assert.equal(told({ externalHostname: 'api.example:8443' }), 'api.example:8443');
  assert.equal(told({}), '192.0.2.1:6443');
  assert.equal(told({ advertiseAddress: '2001:db8::1' }), '[2001:db8::1]:6443');
});
