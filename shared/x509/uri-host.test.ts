import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { constrainedDomain, uriHost } from './uri-host.ts';

// Those from https://a.example:x/ on are recorded from Go in the chains of test/recorders/certificates.
describe('uriHost', () => {
  for (const [uri, host] of [
    ['https://a.example/', 'a.example'],
    ['https://user:secret@a.example:443/p', 'a.example:443'],
    ['HTTPS://A.example', 'A.example'],
    ['x://a.example:80:90/', 'a.example:80:90'],
    ['//h/p', 'h'],
    ['a:b', ''],
    ['/a', ''],
    ['', ''],
    ['https://[fe80::1%25en0]/', '[fe80::1%en0]'],
    ['https://[::1]:443/', '[::1]:443'],
  ] as const) {
    test(`returns "${host}" for ${uri}`, () => {
      assert.equal(uriHost(uri), host);
    });
  }

  for (const uri of [
    'https://a.example:x/',
    'https://a.example:80:90/',
    'https://a%41.example/',
    'https://a.example/%zz',
    'http://[::1/',
    ':a',
    '1:b',
    'https://a b/',
    'https://a.example./',
    'https://[1.2.3.4]/',
    'https://x[y]/',
    'https://b.example\\@a.example/',
    'https://a.example/\n',
    'https://us er@a.example/',
  ]) {
    test(`cannot read ${JSON.stringify(uri)}`, () => assert.equal(uriHost(uri), undefined));
  }
});

describe('constrainedDomain', () => {
  for (const [host, domain] of [
    ['a.example', 'a.example'],
    ['A.Example:443', 'a.example'],
    ['', undefined],
    ['10.0.0.1', undefined],
    ['10.0.0.1:80', undefined],
    ['[::1]', undefined],
    ['[::1]:443', undefined],
  ] as const) {
    test(`returns ${domain ?? 'nothing'} for "${host}"`, () => assert.equal(constrainedDomain(host), domain));
  }
});
