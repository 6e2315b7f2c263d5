import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DecryptionKeys } from './decryption-keys.ts';
import type { KmsEntry, ProviderEntry } from './encryption-configuration.ts';

const secrets = { group: '', resource: 'secrets' };
const pandas = { group: 'bears.example', resource: 'pandas' };
const aescbc = (...names: string[]): ProviderEntry => ({ aescbc: names.map((name) => ({ name, secret: name })) });
const kms = (more: Partial<KmsEntry> = {}): ProviderEntry => ({
  kms: { apiVersion: 'v2', name: 'k', endpoint: 'unix:///a', cacheSize: undefined, timeout: 3n, ...more },
});
const keysOf = (rule: string, ...providers: ProviderEntry[]): DecryptionKeys =>
  new DecryptionKeys({ resources: [{ resources: [rule], providers }] });

test('keys that are added or come in another order take nothing away', () => {
  const before = keysOf('secrets', aescbc('a', 'b'), { identity: true });
  assert.ok(before.areIn(keysOf('secrets', { identity: true }, aescbc('b', 'c'), aescbc('a')), secrets));
  assert.ok(before.areIn(keysOf('*.*', kms(), aescbc('a', 'b'), { identity: true }), secrets));
  assert.ok(keysOf('secrets', kms()).areIn(keysOf('*.', kms({ timeout: 5n, cacheSize: 1 })), secrets));
});

test('a key, plugin or provider is taken away by leaving it out, or by another in its place', () => {
  const before = keysOf('secrets', aescbc('a', 'b'));
  assert.ok(!before.areIn(keysOf('secrets', aescbc('b')), secrets));
  assert.ok(!before.areIn(keysOf('secrets', { aesgcm: aescbc('a', 'b').aescbc ?? [] }), secrets));
  const changed = { aescbc: [{ name: 'a', secret: 'other' }, ...(aescbc('b').aescbc ?? [])] };
  assert.ok(!before.areIn(keysOf('secrets', changed), secrets));
  assert.ok(!keysOf('secrets', kms()).areIn(keysOf('secrets', kms({ endpoint: 'unix:///b' })), secrets));
  assert.ok(!keysOf('secrets', { identity: true }).areIn(keysOf('secrets', aescbc('a')), secrets));
});

test('values of a resource that no rule names are not encrypted', () => {
  const [named, other] = [keysOf('secrets', aescbc('a')), keysOf('configmaps', aescbc('a'))];
  assert.ok(!named.areIn(other, secrets));
  assert.ok(!other.areIn(named, secrets));
  assert.ok(named.areIn(other, pandas));
});

test('the most exact rule holds, whatever others say', () => {
  const before = new DecryptionKeys({
    resources: [
      { resources: ['pandas.bears.example'], providers: [aescbc('a')] },
      { resources: ['*.bears.example'], providers: [aescbc('b')] },
    ],
  });
  assert.ok(before.areIn(keysOf('*.bears.example', aescbc('a')), pandas));
  assert.ok(!before.areIn(keysOf('*.bears.example', aescbc('b')), pandas));
});
