import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { proxiedUrlMapping } from './links.ts';
import { HtmlRewriter } from './rewrite-html.ts';

const front = '/api/v1/namespaces/default/pods/p/proxy';
/** Recorded from the reference by test/conformance/proxies/run.ts; one character a byte. */
const recorded = JSON.parse(readFileSync(new URL('testdata/pages.json', import.meta.url), 'utf8')) as {
  readonly page: string;
  readonly seen: string;
}[];

async function rewrite(page: string, at: number, pieceBytes: number): Promise<string> {
  const path = `/odd-page-${at}`;
  const rewriter = new HtmlRewriter(
    proxiedUrlMapping(front + path, path, path, { targetHost: '192.0.2.2:80', clientHost: 'HOST' }),
  );
  const bytes = Buffer.from(page, 'latin1');
  for (let start = 0; start < bytes.length; start += pieceBytes)
    rewriter.write(bytes.subarray(start, start + pieceBytes));
  rewriter.end();
  const parts = (await rewriter.toArray()) as Buffer[];
  return Buffer.concat(parts).toString('latin1');
}

describe('HtmlRewriter', () => {
  test('rewrites links as the reference does, whatever the chunk boundaries', async () => {
    assert.ok(recorded.length > 30);
    for (const [at, { page, seen }] of recorded.entries()) {
      assert.equal(await rewrite(page, at, page.length), seen, `page ${at}: ${page}`);
      if (page.length < 1000) assert.equal(await rewrite(page, at, 1), seen, `page ${at} in single bytes: ${page}`);
    }
  });

  test('passes the rest of the page unchanged after 256 KiB of an unclosed tag', async () => {
    const page = `<a href="/x"><a href="${'x'.repeat(300_000)}"> <a href="/y">`;
    assert.equal(await rewrite(page, 0, 50_000), page.replace('"/x"', `"${front}/x"`));
  });

  test('processes 200,000 tag starts, and a long tag byte by byte, in linear time', { timeout: 60_000 }, async () => {
    const beginnings = '<a'.repeat(200_000);
    assert.equal(await rewrite(beginnings, 0, beginnings.length), beginnings);
    const tag = `<a title="${'> '.repeat(60_000)}" href="/x">`;
    assert.equal(await rewrite(tag, 0, 1), tag.replaceAll('> ', '&gt; ').replace('"/x"', `"${front}/x"`));
  });
});
