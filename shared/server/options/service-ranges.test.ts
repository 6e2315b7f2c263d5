import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { resolveServerOptions } from './server-options.ts';
import { serviceRangeErrors, serviceRanges } from './service-ranges.ts';

// The texts and ranges are the reference's: test/conformance/flags/run.ts and versions/run-addresses.ts.
const notFirst = 'service-cluster-ip-range[0] is not a valid cidr';
const notSecond = 'service-cluster-ip-range[1] is not an ip net';
const tooSmall =
  'error determining service IP ranges for primary service cidr: the service cluster IP range must be at least 8 IP addresses';
const sameFamily = '--service-cluster-ip-range[0] and --service-cluster-ip-range[1] must be of different IP family';
const tooMany = '--service-cluster-ip-range must not contain more than two entries';
const otherFamily = (cidr: string): string =>
  `service IP family "${cidr}" must match public address family "192.0.2.2"`;

const refused: readonly (readonly [range: string, ...errors: readonly string[]])[] = [
  ['10.5.0.0/16,10.6.0.0/16', sameFamily],
  ['10.5.0.0/30', tooSmall],
  ['10.5.0.0/32', tooSmall],
  ['0.0.0.0/0', tooSmall],
  ['fd00::5/112', otherFamily('fd00::/112')],
  ['fd00::/126', tooSmall],
  ['fd00::/112,10.5.0.0/16', otherFamily('fd00::/112')],
  ['fd00::/112,fd01::/112', sameFamily, otherFamily('fd00::/112')],
  ['10.5.0.0/16,10.6.0.0/16,fd00::/112', tooMany, sameFamily],
  ['10.5.0.0/16, fd00::/112', notSecond],
  [' 10.5.0.0/16', notFirst],
  ['10.5.0.0/16,', notSecond],
  [',', notFirst],
  ['10.5.0.0/33', notFirst],
  ['10.5.0.0/16/1', notFirst],
  ['abc,10.5.0.0/16', notFirst],
];
const taken: readonly (readonly [range: string, ...served: readonly string[]])[] = [
  ['', '10.0.0.0/24'],
  ['10.5.0.7/16', '10.5.0.0/16'],
  ['10.5.0.0/29', '10.5.0.0/29'],
  ['010.5.0.0/016', '10.5.0.0/16'],
  ['::ffff:10.5.0.0/112', '10.5.0.0/16'],
  ['10.5.0.0/16,FD00:0::7/64', '10.5.0.0/16', 'fd00::/64'],
  ['10.5.0.0/16,fd00::/126', '10.5.0.0/16', 'fd00::/126'],
];

const options = (serviceClusterIpRange: string, more: Parameters<typeof resolveServerOptions>[0] = {}) =>
  resolveServerOptions({ serviceClusterIpRange, advertiseAddress: '192.0.2.2', ...more });

describe('--service-cluster-ip-range', () => {
  for (const [range, ...errors] of refused)
    test(`refuses ${JSON.stringify(range)}`, () => assert.deepEqual(serviceRangeErrors(options(range)), errors));

  for (const [range, ...served] of taken)
    test(`takes ${JSON.stringify(range)} as ${served.join(' and ')}`, () => {
      assert.deepEqual(serviceRangeErrors(options(range)), []);
      assert.deepEqual(serviceRanges(options(range)), served);
    });

  test('takes the default range with an address of IPv6', () => {
    assert.deepEqual(serviceRangeErrors(options('', { advertiseAddress: 'fd00::1' })), []);
    assert.deepEqual(serviceRangeErrors(options('', { advertiseAddress: '', bindAddress: '::1' })), []);
  });

  test('takes another family than that of the advertised address without a reconciler of endpoints', () => {
    assert.deepEqual(serviceRangeErrors(options('fd00::/64,10.5.0.0/16', { endpointReconcilerType: 'none' })), []);
    assert.deepEqual(serviceRangeErrors(options('fd00::/108', { advertiseAddress: 'fd00::1' })), []);
    assert.deepEqual(serviceRangeErrors(options('fd00::/108', { advertiseAddress: '', bindAddress: 'fd00::1' })), []);
  });
});
