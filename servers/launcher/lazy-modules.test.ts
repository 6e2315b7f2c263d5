import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { describe, test } from 'node:test';
import * as tls from 'node:tls';
import { requireLazily } from './lazy-modules.ts';

const realRequire = createRequire(import.meta.url);

/** A lazy `require`, and the modules that it has loaded. */
function watched(): { require: NodeJS.Require; loaded: string[] } {
  const loaded: string[] = [];
  const load = (id: string): unknown => {
    loaded.push(id);
    return realRequire(id) as unknown;
  };
  return { loaded, require: requireLazily(Object.assign(load, realRequire) as NodeJS.Require) };
}

describe('requireLazily', () => {
  test('loads node:tls once, at the first access to an export', () => {
    const { require, loaded } = watched();
    const lazy = require('node:tls') as typeof tls;
    assert.deepEqual(loaded, []);
    assert.equal(lazy.connect, tls.connect);
    assert.equal(lazy.TLSSocket, tls.TLSSocket);
    assert.deepEqual(loaded, ['node:tls']);
  });

  test('returns a module whose exports can be listed and copied', () => {
    const lazy = watched().require('node:tls') as typeof tls;
    const real = realRequire('node:tls') as typeof tls;
    assert.deepEqual(Object.getOwnPropertyNames(lazy), Object.getOwnPropertyNames(real));
    assert.equal({ ...lazy }.createSecureContext, real.createSecureContext);
    assert.equal('rootCertificates' in lazy, true);
    assert.equal('missing' in lazy, false);
    assert.equal(Object.getOwnPropertyDescriptor(lazy, 'missing'), undefined);
  });

  test('loads other modules at once', () => {
    const { require, loaded } = watched();
    assert.equal(require('node:net'), realRequire('node:net'));
    assert.deepEqual(loaded, ['node:net']);
  });
});
