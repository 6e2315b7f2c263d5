import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatBackendAddress, parseBackendAddress } from './backend-address.ts';

describe('parseBackendAddress', () => {
  test('reads sockets, host names and IP addresses, which formatBackendAddress writes back', () => {
    assert.deepEqual(parseBackendAddress('unix:///run/core.sock'), { kind: 'unix', path: '/run/core.sock' });
    assert.deepEqual(parseBackendAddress('/run/core.sock'), { kind: 'unix', path: '/run/core.sock' });
    assert.deepEqual(parseBackendAddress('core:7443'), { kind: 'tcp', host: 'core', port: 7443 });
    assert.deepEqual(parseBackendAddress('[::1]:7443'), { kind: 'tcp', host: '::1', port: 7443 });
    for (const text of ['unix:///run/core.sock', 'core.example:7443', '10.0.0.1:1', '[fd00::1]:65535']) {
      const address = parseBackendAddress(text);
      assert.ok(address);
      assert.equal(formatBackendAddress(address), text);
    }
  });

  test('returns undefined for malformed addresses', () => {
    for (const text of [
      '',
      'core',
      'core:',
      'core:65536',
      '::1:7443',
      '[core]:7443',
      'http://core:7443',
      'run/core.sock',
      'a b:1',
    ]) {
      assert.equal(parseBackendAddress(text), undefined, text);
    }
  });
});
