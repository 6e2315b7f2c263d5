import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { globalUnicast } from './global-unicast.ts';

describe('globalUnicast', () => {
  test('refuses loopback, link-local, multicast and unspecified addresses in every spelling', () => {
    for (const refused of [
      '',
      'localhost',
      '127.0.0.1',
      '127.9.9.9',
      '0127.0.0.1',
      '127.00.0.01',
      '169.254.169.254',
      '169.254.0.1',
      '0.0.0.0',
      '255.255.255.255',
      '224.0.0.1',
      '239.255.255.255',
      '::',
      '::1',
      '0:0:0:0:0:0:0:1',
      'fe80::1',
      'febf::1',
      'fe80::1%eth0',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '0:0:0:0:0:ffff:a9fe:a9fe',
      '::ffff:169.254.169.254',
      '::ffff:0.0.0.0',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '10.0.0',
      '10.0.0.256',
      '[fd00::1]',
      'fd00::1%1',
    ])
      assert.equal(globalUnicast(refused), undefined, refused);
  });

  test('returns pod addresses in canonical form', () => {
    assert.equal(globalUnicast('10.1.2.3'), '10.1.2.3');
    assert.equal(globalUnicast('010.001.002.003'), '10.1.2.3');
    assert.equal(globalUnicast('::ffff:10.1.2.3'), '10.1.2.3');
    assert.equal(globalUnicast('fd00::2'), 'fd00::2');
    assert.equal(globalUnicast('8.8.8.8'), '8.8.8.8');
  });
});
