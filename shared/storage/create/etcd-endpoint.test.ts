import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalEndpoint } from './etcd-endpoint.ts';

// Which of them kube-apiserver gets ready with: test/conformance/versions/run-addresses.ts.
const taken: readonly (readonly [text: string, canonical: string])[] = [
  ['http://127.0.0.1:2379', 'http://127.0.0.1:2379'],
  ['http://127.0.0.1:2379/', 'http://127.0.0.1:2379'],
  ['http://127.0.0.1:2379/path?x=1#y', 'http://127.0.0.1:2379'],
  ['http://127.0.0.1:2379?x=a@b', 'http://127.0.0.1:2379'],
  ['http://user:password@127.0.0.1:2379', 'http://127.0.0.1:2379'],
  ['HTTPS://ETCD.example:2379', 'https://etcd.example:2379'],
  ['127.0.0.1:2379', 'http://127.0.0.1:2379'],
  ['localhost:2379', 'http://localhost:2379'],
  ['[::1]:2379', 'http://[::1]:2379'],
  ['http://[FD00::1]:2379', 'http://[fd00::1]:2379'],
  ['http://:2379', 'http://localhost:2379'],
  [' http://127.0.0.1:2379 ', 'http://127.0.0.1:2379'],
  ['unix:///run/etcd.sock', 'unix:/run/etcd.sock'],
  ['unix:/run/etcd.sock', 'unix:/run/etcd.sock'],
];
const refused = [
  '',
  'abc',
  'http://',
  'http://127.0.0.1',
  'http://127.0.0.1:x',
  'http://127.0.0.1:99999',
  'http://[fe80::1%25eth0]:2379',
  'http://[127.0.0.1]:2379',
  'http:127.0.0.1:2379',
  'http:/127.0.0.1:2379',
  '//127.0.0.1:2379',
  'ftp://127.0.0.1:2379',
  '127.0.0.1:2379/path',
  'a b:2379',
];

describe('canonicalEndpoint', () => {
  for (const [text, canonical] of taken)
    test(`reads ${JSON.stringify(text)}`, () => assert.equal(canonicalEndpoint(text, false), canonical));

  test('takes host and port alone as TLS where a certificate is given', () => {
    assert.equal(canonicalEndpoint('etcd:2379', true), 'https://etcd:2379');
    assert.equal(canonicalEndpoint('http://etcd:2379', true), 'http://etcd:2379');
  });

  for (const text of refused)
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(canonicalEndpoint(text, false), undefined));
});
