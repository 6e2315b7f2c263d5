import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { forwardedUri, proxiedUrlMapping, rewriteLink } from './links.ts';

const front = '/api/v1/namespaces/default/pods/p/proxy';
const hosts = { targetHost: '10.1.2.3:80', clientHost: 'api.example:6443' };

describe('proxied links', () => {
  /** What kube-apiserver v1.36.3 sent to a target for these paths and made of its links (test/conformance/proxies). */
  test('point to the proxy when they lead into the target and stay unchanged otherwise', () => {
    const mapping = proxiedUrlMapping(`${front}/a`, '/a', '/a', hosts);
    for (const [link, seen] of [
      ['/elsewhere/?a=b#c', `${front}/elsewhere/?a=b#c`],
      ['elsewhere', 'elsewhere'],
      ['?a=b', '?a=b'],
      ['https://other.example/x?y', 'https://other.example/x?y'],
      ['//other.example/x', '//other.example/x'],
      ['http://api.example:6443/self', `http://api.example:6443${front}/self`],
      ['http://10.1.2.3:80/a b/%2f?x', `${front}/a%20b/?x`],
      ['mailto:a@b', 'mailto:a@b'],
      ['/a//b/../c/', `${front}/a/c/`],
      ['http://u:p@other.example/x', 'http://u:p@other.example/x'],
      [`${front}/there`, `${front}/there`],
      ['', ''],
    ] as const)
      assert.equal(rewriteLink(link, mapping), seen, link);
  });

  test('fail with the error text of Go for an invalid URL', () => {
    const mapping = proxiedUrlMapping(front, '', '', hosts);
    assert.throws(() => rewriteLink(':broken', mapping), { message: 'parse ":broken": missing protocol scheme' });
    assert.throws(() => rewriteLink('/%zz', mapping), { message: 'parse "/%zz": invalid URL escape "%zz"' });
    assert.throws(() => rewriteLink('http://a:b/', mapping), {
      message: 'parse "http://a:b/": invalid port ":b" after host',
    });
    assert.throws(() => rewriteLink('a:b/c d:', mapping) && rewriteLink('1:b', mapping), {
      message: 'parse "1:b": first path segment in URL cannot contain colon',
    });
  });

  test('give the target the original URI of the request', () => {
    assert.equal(forwardedUri(proxiedUrlMapping(`${front}/`, '/', '/', hosts)), `${front}/`);
    assert.equal(forwardedUri(proxiedUrlMapping(`${front}/a/b`, '/a/b', '/a/b', hosts)), `${front}/a/b`);
    assert.equal(forwardedUri(proxiedUrlMapping(`${front}/a b/`, '/a b/', '/a b/', hosts)), `${front}/a%20b/`);
  });
});
