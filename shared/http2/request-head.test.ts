import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StreamFault } from './frames.ts';
import { announcedBytes, HeadCollector, type RequestHead } from './request-head.ts';
import { get } from './testing/raw-client.ts';

function headOf(fields: readonly (readonly [name: string, value: string])[], most = 10_000): RequestHead {
  const collector = new HeadCollector(most);
  for (const [name, value] of fields) collector.field(name, value);
  return collector.request(1);
}

/** As RFC 9113 section 6.5.2 counts SETTINGS_MAX_HEADER_LIST_SIZE. */
const sizeOf = (fields: readonly (readonly [name: string, value: string])[]): number =>
  fields.reduce((sum, [name, value]) => sum + name.length + value.length + 32, 0);

describe('HeadCollector', () => {
  test('accepts fields up to the limit of their size, and answers 431 at one byte less', () => {
    const fields = [...get, ['x-a', 'b']] as const;
    assert.equal(headOf(fields, sizeOf(fields)).refusal, undefined);
    assert.equal(headOf(fields, sizeOf(fields) - 1).refusal?.status, 431);
  });

  test('ignores fields beyond the limit, invalid ones too', () => {
    const collector = new HeadCollector(sizeOf(get));
    for (const [name, value] of [...get, ['x-a', 'b'], ['Capital', 'c']] as const) collector.field(name, value);
    assert.equal(collector.isFaulty, false);
    assert.equal(collector.bytesLeft, 0);
    assert.equal(collector.request(1).headers['x-a'], undefined);
  });

  test('joins repeated fields, keeps the first of single ones, and lists set-cookie', () => {
    const { headers, rawHeaders } = headOf([
      ...get,
      ['accept', 'a'],
      ['accept', 'b'],
      ['cookie', 'c=1'],
      ['cookie', 'd=2'],
      ['user-agent', 'first'],
      ['user-agent', 'second'],
      ['set-cookie', 'e'],
      ['set-cookie', 'f'],
      ['__proto__', 'g'],
    ]);
    assert.deepEqual(
      [headers['accept'], headers['cookie'], headers['user-agent'], headers['set-cookie']],
      ['a, b', 'c=1; d=2', 'first', ['e', 'f']],
    );
    assert.equal(Object.getOwnPropertyDescriptor(headers, '__proto__')?.value, 'g');
    assert.equal(rawHeaders.length, 2 * 12);
  });

  // RFC 9113 section 8.2.2, with the texts of golang.org/x/net/http2.
  for (const [name, value, text] of [
    ['connection', 'close', 'request header "Connection" is not valid in HTTP/2\n'],
    ['keep-alive', '1', 'request header "Keep-Alive" is not valid in HTTP/2\n'],
    ['proxy-connection', 'close', 'request header "Proxy-Connection" is not valid in HTTP/2\n'],
    ['transfer-encoding', 'chunked', 'request header "Transfer-Encoding" is not valid in HTTP/2\n'],
    ['upgrade', 'websocket', 'request header "Upgrade" is not valid in HTTP/2\n'],
    ['te', 'gzip', 'request header "TE" may only be "trailers" in HTTP/2\n'],
  ] as const) {
    test(`answers 400 to ${name}: ${value}`, () => {
      assert.deepEqual(headOf([...get, [name, value]]).refusal, { status: 400, text });
    });
  }

  test('accepts one te with "trailers" or nothing, and answers 400 to two', () => {
    assert.equal(headOf([...get, ['te', 'trailers']]).refusal, undefined);
    assert.equal(headOf([...get, ['te', '']]).refusal, undefined);
    assert.equal(headOf([...get, ['te', 'trailers'], ['te', 'trailers']]).refusal?.status, 400);
  });

  test('judges a long value like a short one, however often it is repeated', () => {
    const long = 'v'.repeat(300);
    assert.equal(headOf([...get, ['x-a', long], ['x-b', long]]).headers['x-b'], long);
    for (const length of [254, 255, 256, 300])
      assert.throws(() => headOf([...get, ['x-a', `${'v'.repeat(length)}\0`]]), StreamFault, `${length}`);
  });

  for (const path of ['/a\tb', '/%', '/%4', '/%zz']) {
    test(`throws a stream error at the :path ${JSON.stringify(path)}`, () => {
      assert.throws(() => headOf([...get.slice(0, 2), [':path', path]]), StreamFault);
    });
  }

  test('accepts broken escapes in the query of :path', () => {
    assert.equal(headOf([...get.slice(0, 2), [':path', '/%41?a=%zz']]).headers[':path'], '/%41?a=%zz');
  });
});

describe('announcedBytes', () => {
  for (const [value, bytes] of [
    [undefined, undefined],
    ['0', 0],
    ['12', 12],
    ['999999999999999', 999_999_999_999_999],
    ['1000000000000000', 0],
    ['-1', 0],
    ['1x', 0],
    ['', 0],
  ] as const) {
    test(`returns ${bytes} for ${value === undefined ? 'no Content-Length' : `Content-Length "${value}"`}`, () => {
      assert.equal(announcedBytes(headOf(value === undefined ? get : [...get, ['content-length', value]])), bytes);
    });
  }
});
