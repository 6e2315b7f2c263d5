import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { test } from 'node:test';
import { AnswerParser } from './answer-parser.ts';

function read(text: string, step: number, method = 'GET'): { log: string[]; parser: AnswerParser } {
  const log: string[] = [];
  let data = '';
  const parser = new AnswerParser(method, {
    whole: (status, headers, body) => log.push(`whole ${status} ${JSON.stringify(headers)} ${body === undefined ? '-' : Buffer.from(body).toString()}`),
    head: (status, headers) => log.push(`head ${status} ${JSON.stringify(headers)}`),
    data: (chunk) => { data += Buffer.from(chunk).toString('latin1'); },
    end: (trailers) => log.push(`end ${data} ${JSON.stringify(trailers ?? {})}`),
  });
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0; at < bytes.length; at += step) parser.push(bytes.subarray(at, at + step));
  return { log, parser };
}

const sized = 'HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nWarning: 1\r\nwarning: 2\r\nConnection: keep-alive\r\nContent-Length: 5\r\n\r\nhello';
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: x-a\r\n\r\n5\r\nhello\r\n6;e=1\r\n world\r\n0\r\nX-A: b\r\n\r\n';

test('an answer in one piece is told as a whole', () => {
  const { log, parser } = read(sized, sized.length);
  assert.deepEqual(log, ['whole 200 {"content-type":"a/b","warning":["1","2"],"content-length":"5"} hello']);
  assert.ok(parser.done && parser.keepAlive);
});

test('answers may be cut anywhere', () => {
  for (let step = 1; step < 30; step++) {
    assert.match(read(sized, step).log.at(-1) ?? '', /hello( \{\})?$/);
    assert.deepEqual(read(chunked, step).log, ['head 200 {"trailer":"x-a"}', 'end hello world {"x-a":"b"}']);
  }
});

test('answers without a body end with their head', () => {
  assert.match(read('HTTP/1.1 204 No Content\r\n\r\n', 100).log[0] ?? '', /^whole 204/);
  assert.match(read('HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n', 100).log[0] ?? '', /^whole 304/);
  assert.match(read(sized.slice(0, -5), 200, 'HEAD').log[0] ?? '', /^whole 200/);
});

test('interim answers are passed over', () => {
  assert.match(read(`HTTP/1.1 100 Continue\r\n\r\n${sized}`, 7).log.at(-1) ?? '', /hello/);
});

test('a body without a length lasts until the connection closes', () => {
  const { log, parser } = read('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nabc', 4);
  assert.equal(parser.done, false);
  assert.ok(parser.closed());
  assert.equal(log.at(-1), 'end abc {}');
  assert.equal(parser.keepAlive, false);
});

test('what comes after the answer spoils the connection, and nonsense is an error', () => {
  assert.equal(read(`${sized}HTTP/1.1`, 1000).parser.keepAlive, false);
  assert.throws(() => read('SSH-2.0-OpenSSH\r\n\r\n', 100), /not an HTTP answer/);
  assert.throws(() => read('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 100), /chunk size/);
  assert.throws(() => read('HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n', 100), /content-length/);
});
