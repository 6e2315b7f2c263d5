import { frame } from '#test/robustness/hostile/raw-connection.ts';
import { adminToken } from '#test/tokens.ts';
import { frameFlag as flag, frameType as type, headerBlock, headersFrames } from './http2-wire.ts';
import type { Field } from './http2-wire.ts';

/** What a client sends behind the preface, and the stream that it asks on. */
export interface FrameCase {
  readonly name: string;
  readonly bytes: Buffer;
  readonly stream: number;
}

const padded = 0x8;
const prioritized = 0x20;
const none = Buffer.alloc(0);
const usual: readonly Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':authority', 'a'],
  [':path', '/livez'],
];
const usualBlock = headerBlock(usual);
const post: readonly Field[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', 'a'],
  [':path', '/livez'],
];

/** A request whose body is read. */
const review: readonly Field[] = [
  [':method', 'POST'],
  [':scheme', 'https'],
  [':authority', 'a'],
  [':path', '/apis/authentication.k8s.io/v1/selfsubjectreviews'],
  ['authorization', `Bearer ${adminToken}`],
  ['content-type', 'application/json'],
];

function get(stream = 1): Buffer {
  return headersFrames(stream, usualBlock, true);
}

function uint32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4);
  return bytes;
}

function settings(...pairs: readonly (readonly [id: number, value: number])[]): Buffer {
  return frame(
    type.settings,
    0,
    0,
    Buffer.concat(pairs.map(([id, value]) => Buffer.concat([uint32(id).subarray(2), uint32(value)]))),
  );
}

function caseOf(name: string, ...frames: readonly Buffer[]): FrameCase {
  return { name, bytes: Buffer.concat(frames), stream: 1 };
}

function request(name: string, fields: readonly Field[], ...frames: readonly Buffer[]): FrameCase {
  return caseOf(`fields: ${name}`, headersFrames(1, headerBlock(fields), frames.length === 0), ...frames);
}

const end = flag.endStream | flag.endHeaders;
const body = Buffer.from('12345');

export const frameCases: readonly FrameCase[] = [
  caseOf('a request', get()),
  caseOf('a frame of an unknown type first', frame(200, 0, 0, body), get()),
  caseOf('a frame of an unknown type for a stream that is not open', frame(200, 0xff, 1, body), get()),
  caseOf('DATA of no stream', frame(type.data, 0, 0, body), get()),
  caseOf('DATA of an idle stream', frame(type.data, 0, 1, body)),
  caseOf('DATA behind the end', get(), frame(type.data, 0, 1, body)),
  caseOf(
    'DATA without room for its padding',
    headersFrames(1, headerBlock(review), false),
    frame(type.data, padded, 1, none),
  ),
  caseOf(
    'DATA with more padding than payload',
    headersFrames(1, headerBlock(review), false),
    frame(type.data, padded, 1, Buffer.from([9, 1, 2])),
  ),
  caseOf(
    'DATA that is padding alone',
    headersFrames(1, headerBlock(review), false),
    frame(type.data, padded | flag.endStream, 1, Buffer.from([3, 0, 0, 0])),
  ),
  caseOf('HEADERS of no stream', headersFrames(0, usualBlock, true)),
  caseOf('HEADERS of an even stream', headersFrames(2, usualBlock, true)),
  caseOf('HEADERS of a lower stream', headersFrames(3, usualBlock, true), get()),
  caseOf(
    'HEADERS with padding',
    frame(type.headers, end | padded, 1, Buffer.concat([Buffer.from([3]), usualBlock, Buffer.alloc(3)])),
  ),
  caseOf('HEADERS with more padding than payload', frame(type.headers, end | padded, 1, Buffer.from([200, 1, 2]))),
  caseOf(
    'HEADERS with a priority',
    frame(type.headers, end | prioritized, 1, Buffer.concat([uint32(0x8000_0003), Buffer.from([9]), usualBlock])),
  ),
  caseOf(
    'HEADERS that depend on themselves',
    frame(type.headers, end | prioritized, 1, Buffer.concat([uint32(1), Buffer.from([9]), usualBlock])),
  ),
  caseOf('HEADERS too short for their priority', frame(type.headers, end | prioritized, 1, Buffer.from([0, 0]))),
  caseOf('HEADERS without fields', frame(type.headers, end, 1, none)),
  caseOf(
    'HEADERS that cannot be decoded',
    frame(type.headers, end, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
  ),
  caseOf('HEADERS with an index that is not there', frame(type.headers, end, 1, Buffer.from([0xc0]))),
  caseOf('HEADERS with index 0', frame(type.headers, end, 1, Buffer.from([0x80]))),
  caseOf('HEADERS that end within a field', frame(type.headers, end, 1, usualBlock.subarray(0, -2))),
  caseOf(
    'HEADERS with a text that is no Huffman code',
    frame(type.headers, end, 1, Buffer.concat([usualBlock, Buffer.from([0, 1, 0x61, 0x84, 0xff, 0xff, 0xff, 0xff])])),
  ),
  caseOf(
    'HEADERS with padding of Huffman code that is not ones',
    frame(type.headers, end, 1, Buffer.concat([usualBlock, Buffer.from([0, 1, 0x61, 0x81, 0x18])])),
  ),
  caseOf(
    'a table size within the limit',
    frame(type.headers, end, 1, Buffer.concat([Buffer.from([0x20]), usualBlock])),
  ),
  caseOf(
    'a table size over the limit',
    frame(type.headers, end, 1, Buffer.concat([Buffer.from([0x3f, 0xe2, 0x1f]), usualBlock])),
  ),
  caseOf('a table size behind a field', frame(type.headers, end, 1, Buffer.concat([usualBlock, Buffer.from([0x20])]))),
  caseOf('CONTINUATION without HEADERS', frame(type.continuation, flag.endHeaders, 1, usualBlock)),
  caseOf(
    'CONTINUATION of another stream',
    frame(type.headers, flag.endStream, 1, usualBlock),
    frame(type.continuation, flag.endHeaders, 3, none),
  ),
  caseOf(
    'another frame within a header block',
    frame(type.headers, flag.endStream, 1, usualBlock),
    frame(type.ping, 0, 0, Buffer.alloc(8)),
  ),
  caseOf(
    'CONTINUATION of every byte',
    frame(type.headers, flag.endStream, 1, none),
    ...[...usualBlock].map((byte) => frame(type.continuation, 0, 1, Buffer.from([byte]))),
    frame(type.continuation, flag.endHeaders, 1, none),
  ),
  caseOf('PRIORITY', frame(type.priority, 0, 1, Buffer.concat([uint32(0), Buffer.from([1])])), get()),
  caseOf('PRIORITY of no stream', frame(type.priority, 0, 0, Buffer.concat([uint32(3), Buffer.from([1])])), get()),
  caseOf('PRIORITY of a wrong length', frame(type.priority, 0, 1, uint32(3)), get()),
  caseOf('PRIORITY that depends on itself', frame(type.priority, 0, 1, Buffer.concat([uint32(1), Buffer.from([1])]))),
  caseOf('RST_STREAM of no stream', frame(type.reset, 0, 0, uint32(8)), get()),
  caseOf('RST_STREAM of an idle stream', frame(type.reset, 0, 1, uint32(8)), get()),
  caseOf('RST_STREAM of a wrong length', get(), frame(type.reset, 0, 1, Buffer.alloc(3))),
  caseOf('SETTINGS of a stream', frame(type.settings, 0, 1, none), get()),
  caseOf('SETTINGS of a wrong length', frame(type.settings, 0, 0, Buffer.alloc(5)), get()),
  caseOf('SETTINGS that confirm and tell', frame(type.settings, flag.ack, 0, Buffer.alloc(6)), get()),
  caseOf('SETTINGS confirmed twice', frame(type.settings, flag.ack, 0), frame(type.settings, flag.ack, 0), get()),
  caseOf('a setting that nobody knows', settings([0x99, 5]), get()),
  caseOf('a setting twice', settings([4, 65_535], [4, 65_536]), get()),
  caseOf('ENABLE_PUSH of 2', settings([2, 2]), get()),
  caseOf('INITIAL_WINDOW_SIZE too large', settings([4, 0x8000_0000]), get()),
  caseOf('MAX_FRAME_SIZE too small', settings([5, 16_383]), get()),
  caseOf('MAX_FRAME_SIZE too large', settings([5, 16_777_216]), get()),
  caseOf('HEADER_TABLE_SIZE of 0', settings([1, 0]), get()),
  caseOf(
    '101 settings',
    settings(...Array.from({ length: 101 }, (_, at): readonly [number, number] => [at + 100, 0])),
    get(),
  ),
  caseOf('PUSH_PROMISE', frame(5, flag.endHeaders, 1, Buffer.concat([uint32(2), usualBlock]))),
  caseOf('PING of a wrong length', frame(type.ping, 0, 0, Buffer.alloc(7)), get()),
  caseOf('PING of a stream', frame(type.ping, 0, 1, Buffer.alloc(8)), get()),
  caseOf('PING confirmed that was not sent', frame(type.ping, flag.ack, 0, Buffer.alloc(8)), get()),
  caseOf('GOAWAY of a stream', frame(type.goaway, 0, 1, uint32(0, 0)), get()),
  caseOf('GOAWAY behind a request', get(), frame(type.goaway, 0, 0, uint32(0, 0))),
  caseOf('WINDOW_UPDATE by nothing', frame(type.windowUpdate, 0, 0, uint32(0)), get()),
  caseOf(
    'WINDOW_UPDATE of a stream by nothing',
    headersFrames(1, headerBlock(review), false),
    frame(type.windowUpdate, 0, 1, uint32(0)),
  ),
  caseOf('WINDOW_UPDATE of an idle stream', frame(type.windowUpdate, 0, 1, uint32(9)), get()),
  caseOf('WINDOW_UPDATE of a wrong length', frame(type.windowUpdate, 0, 0, Buffer.alloc(3)), get()),
  caseOf('a window of the connection too large', frame(type.windowUpdate, 0, 0, uint32(0x7fff_ffff)), get()),
  caseOf(
    'a window of a stream too large',
    headersFrames(1, headerBlock(review), false),
    frame(type.windowUpdate, 0, 1, uint32(0x7fff_ffff)),
  ),
  caseOf('a frame that is too large', frame(type.ping, 0, 0, Buffer.alloc(300_000)), get()),
  request('none', []),
  request('without a method', usual.slice(1)),
  request('without a scheme', [usual[0] as Field, ...usual.slice(2)]),
  request('without an authority', [...usual.slice(0, 2), ...usual.slice(3)]),
  request('without a path', usual.slice(0, 3)),
  request('an empty path', [...usual.slice(0, 3), [':path', '']]),
  request('a control character in the path', [...usual.slice(0, 3), [':path', '/a\tb']]),
  caseOf(
    'CONTINUATION behind a wrong field',
    frame(type.headers, flag.endStream, 1, headerBlock([...usual, ['', 'b']])),
    frame(type.continuation, flag.endHeaders, 1, headerBlock([['a', 'b']])),
  ),
  request('a method twice', [...usual, [':method', 'GET']]),
  request('a pseudo field that nobody knows', [...usual, [':protocol', 'websocket']]),
  request('one of an answer', [...usual, [':status', '200']]),
  request('a pseudo field behind others', [['a', 'b'], ...usual]),
  request('a name with capitals', [...usual, ['Accept', 'text/plain']]),
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade'].map((name) =>
    request(name, [...usual, [name, 'close']]),
  ),
  request('te', [...usual, ['te', 'gzip']]),
  request('te that may be', [...usual, ['te', 'trailers']]),
  request('CONNECT with a path', [[':method', 'CONNECT'], ...usual.slice(1)]),
  request(
    'a body shorter than announced',
    [...post, ['content-length', '9']],
    frame(type.data, flag.endStream, 1, body),
  ),
  request(
    'a body longer than announced',
    [...post, ['content-length', '3']],
    frame(type.data, flag.endStream, 1, body),
  ),
  request(
    'a body shorter than announced that is read',
    [...review, ['content-length', '9']],
    frame(type.data, flag.endStream, 1, body),
  ),
  request(
    'a body longer than announced that is read',
    [...review, ['content-length', '3']],
    frame(type.data, flag.endStream, 1, body),
  ),
  request(
    'two lengths',
    [...review, ['content-length', '5'], ['content-length', '6']],
    frame(type.data, flag.endStream, 1, body),
  ),
  request('a length that is none', [...review, ['content-length', '5x']], frame(type.data, flag.endStream, 1, body)),
  request('trailers', post, frame(type.data, 0, 1, body), headersFrames(1, headerBlock([['a', 'b']]), true)),
  request(
    'trailers that do not end',
    post,
    frame(type.data, 0, 1, body),
    headersFrames(1, headerBlock([['a', 'b']]), false),
  ),
  request(
    'trailers with a pseudo field',
    post,
    frame(type.data, 0, 1, body),
    headersFrames(1, headerBlock([[':path', 'b']]), true),
  ),
  request('a name of 100,000 characters', [...usual, ['a'.repeat(100_000), 'b']]),
  request('values of 1.5 MB', [
    ...usual,
    ...Array.from({ length: 15 }, (_, at): Field => [`a${at}`, 'b'.repeat(100_000)]),
  ]),
];
