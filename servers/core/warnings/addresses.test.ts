import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import { addressWarnings, cidrWarnings } from './addresses.ts';

// Recorded from kube-apiserver v1.36.3; the live comparison is test/conformance/series/warnings.ts.
const addresses: Readonly<Record<string, string>> = {
  '10.1.2.3': '',
  'fd00::1': '',
  'a.b': '',
  '010.1.2.3': 'non-standard IP address "010.1.2.3" is invalid: use "10.1.2.3"',
  '::ffff:10.1.2.3': 'non-standard IP address "::ffff:10.1.2.3" is invalid: use "10.1.2.3"',
  'FD00::1': 'IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
};
describe('addressWarnings', () => {
  for (const [text, warning] of Object.entries(addresses)) {
    test(`returns ${warning === '' ? 'no warning' : `"${warning}"`} for ${text}`, () => {
      assert.deepEqual(addressWarnings(text, path('ip')), warning === '' ? [] : [`ip: ${warning}`]);
    });
  }
});

const networks: Readonly<Record<string, readonly string[]>> = {
  '10.1.2.0/24': [],
  'fd00::/64': [],
  'x/24': [],
  '010.1.2.3/24': [
    'CIDR value "010.1.2.3/24" is ambiguous in this context (should be "10.1.2.0/24" or "10.1.2.3/32"?)',
    'non-standard CIDR value "010.1.2.3/24" is invalid: use "10.1.2.0/24"',
  ],
  '10.1.2.0/024': ['non-standard CIDR value "10.1.2.0/024" is invalid: use "10.1.2.0/24"'],
  '::ffff:10.1.2.3/120': [
    'CIDR value "::ffff:10.1.2.3/120" is ambiguous in this context (should be "10.1.2.0/24" or "10.1.2.3/128"?)',
    'non-standard CIDR value "::ffff:10.1.2.3/120" is invalid: use "10.1.2.0/24"',
  ],
  'FD00::/64': ['IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")'],
};
describe('cidrWarnings', () => {
  for (const [text, warnings] of Object.entries(networks)) {
    test(`returns ${warnings.length} warnings for ${text}`, () => {
      assert.deepEqual(
        cidrWarnings(text, path('cidr')),
        warnings.map((warning) => `cidr: ${warning}`),
      );
    });
  }
});
