import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseServerOptions } from './parse-server-options.ts';

describe('parseServerOptions', () => {
  test('refuses what is no address of an etcd, with the flag and an example', () => {
    assert.deepEqual(parseServerOptions(['--etcd-servers=http://127.0.0.1:2379/,abc,ftp://a:1']).errors, [
      '--etcd-servers "abc" is no address of an etcd: give scheme://host:port, such as http://127.0.0.1:2379',
      '--etcd-servers "ftp://a:1" is no address of an etcd: give scheme://host:port, such as http://127.0.0.1:2379',
    ]);
    assert.deepEqual(parseServerOptions(['--etcd-servers=127.0.0.1:2379, localhost:2379,']).errors, []);
  });

  test('refuses --etcd-servers without any, for which the embedded store would be started', () => {
    for (const value of ['', ',', ' '])
      assert.deepEqual(parseServerOptions([`--etcd-servers=${value}`]).errors, [
        '--etcd-servers "" names no etcd (is a variable not set?): name one, or leave the flag out',
      ]);
  });

  test('refuses an address with a zone', () => {
    assert.deepEqual(parseServerOptions(['--bind-address=fe80::1%eth0']).errors, [
      'invalid argument "fe80::1%eth0" for "--bind-address" flag: failed to parse IP: "fe80::1%eth0"',
    ]);
  });
});
