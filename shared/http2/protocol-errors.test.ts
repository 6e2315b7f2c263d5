import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { accepted, closed, outcomeOf, protocolSuite } from './testing/protocol-suite.ts';
import {
  block,
  flag,
  frame,
  get,
  preface,
  RawClient,
  request,
  settings,
  uint32,
  upload,
} from './testing/raw-client.ts';

// The error tables of RFC 9113. Where the RFC leaves a choice, or golang.org/x/net/http2 differs, the server does as
// kube-apiserver does; test/robustness/attacks/protocol compares the two.

const ping = frame('PING', 0, 0, Buffer.alloc(8));
const ended = flag.endStream | flag.endHeaders;

protocolSuite('4 (frames)', [
  ['a frame of an unknown type', [frame(0x20, 0xff, 0, [1, 2, 3])], accepted],
  ['a stream id with its reserved bit', [frame('PING', 0, 0x8000_0000, Buffer.alloc(8))], accepted],
  ['a payload of SETTINGS_MAX_FRAME_SIZE', [upload(1), frame('DATA', 0, 1, Buffer.alloc(16_384))], accepted],
  ['a larger payload', [upload(1), frame('DATA', 0, 1, Buffer.alloc(16_385))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['a header block with index 0', [frame('HEADERS', ended, 1, [0x80])], 'GOAWAY COMPRESSION_ERROR'],
  ['a truncated header block', [frame('HEADERS', ended, 1, [0x00, 0x02, 0x61])], 'GOAWAY COMPRESSION_ERROR'],
]);

protocolSuite('5.1 (stream states)', [
  ['DATA on an idle stream', [frame('DATA', 0, 1, [1])], 'GOAWAY PROTOCOL_ERROR'],
  ['RST_STREAM on an idle stream', [frame('RST_STREAM', 0, 1, uint32(8))], 'GOAWAY PROTOCOL_ERROR'],
  ['WINDOW_UPDATE on an idle stream', [frame('WINDOW_UPDATE', 0, 1, uint32(1))], 'GOAWAY PROTOCOL_ERROR'],
  ['PRIORITY on an idle stream', [frame('PRIORITY', 0, 1, [0, 0, 0, 0, 1])], accepted],
  ['DATA after END_STREAM', [request(1), frame('DATA', 0, 1, [1])], 'RST_STREAM 1 STREAM_CLOSED'],
  ['HEADERS after END_STREAM', [request(1), request(1)], 'RST_STREAM 1 STREAM_CLOSED'],
  [
    'DATA after RST_STREAM',
    [upload(1), frame('RST_STREAM', 0, 1, uint32(8)), frame('DATA', 0, 1, [1])],
    'RST_STREAM 1 STREAM_CLOSED',
  ],
  ['HEADERS after RST_STREAM', [upload(1), frame('RST_STREAM', 0, 1, uint32(8)), request(1)], 'GOAWAY PROTOCOL_ERROR'],
  [
    'WINDOW_UPDATE after RST_STREAM',
    [upload(1), frame('RST_STREAM', 0, 1, uint32(8)), frame('WINDOW_UPDATE', 0, 1, uint32(1))],
    accepted,
  ],
  [
    'RST_STREAM after RST_STREAM',
    [upload(1), frame('RST_STREAM', 0, 1, uint32(8)), frame('RST_STREAM', 0, 1, uint32(8))],
    accepted,
  ],
  ['an even stream id', [request(2)], 'GOAWAY PROTOCOL_ERROR'],
  ['a skipped stream id', [request(1), request(5)], accepted],
  ['a lower stream id than before', [request(5), request(3)], 'GOAWAY PROTOCOL_ERROR'],
]);

protocolSuite('5.3 (priority)', [
  [
    'HEADERS that depend on their own stream',
    [frame('HEADERS', ended | flag.priority, 1, Buffer.concat([uint32(1), Buffer.from([0]), block(...get)]))],
    'RST_STREAM 1 PROTOCOL_ERROR',
  ],
  [
    'HEADERS that depend on another stream',
    [frame('HEADERS', ended | flag.priority, 1, Buffer.concat([uint32(3), Buffer.from([0]), block(...get)]))],
    accepted,
  ],
  [
    'PRIORITY that depends on its own stream',
    [request(1), frame('PRIORITY', 0, 1, [0, 0, 0, 1, 0])],
    'RST_STREAM 1 PROTOCOL_ERROR',
  ],
]);

protocolSuite('6.1 (DATA)', [
  ['DATA on stream 0', [frame('DATA', 0, 0, [1])], 'GOAWAY PROTOCOL_ERROR'],
  ['padding that fills the payload', [upload(1), frame('DATA', flag.padded, 1, [2, 0, 0])], accepted],
  ['padding longer than the payload', [upload(1), frame('DATA', flag.padded, 1, [3, 0, 0])], 'GOAWAY PROTOCOL_ERROR'],
  // Go's reader fails before it knows of a connection error.
  ['PADDED without a pad length', [upload(1), frame('DATA', flag.padded, 1, [])], closed],
]);

protocolSuite('6.2 (HEADERS)', [
  ['HEADERS on stream 0', [request(0)], 'GOAWAY PROTOCOL_ERROR'],
  [
    'padding after the block',
    [frame('HEADERS', ended | flag.padded, 1, Buffer.concat([Buffer.from([2]), block(...get), Buffer.alloc(2)]))],
    accepted,
  ],
  // A connection error in the RFC; a stream error in Go.
  ['padding longer than the payload', [frame('HEADERS', ended | flag.padded, 1, [1])], 'RST_STREAM 1 PROTOCOL_ERROR'],
  ['PADDED without a pad length', [frame('HEADERS', ended | flag.padded, 1, [])], closed],
  ['PRIORITY with four bytes', [frame('HEADERS', ended | flag.priority, 1, uint32(3))], closed],
]);

protocolSuite('6.3 (PRIORITY)', [
  ['PRIORITY on stream 0', [frame('PRIORITY', 0, 0, Buffer.alloc(5))], 'GOAWAY PROTOCOL_ERROR'],
  // A stream error in the RFC; a connection error in Go.
  ['a length of 4', [request(1), frame('PRIORITY', 0, 1, Buffer.alloc(4))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['a length of 5', [request(1), frame('PRIORITY', 0, 1, Buffer.alloc(5))], accepted],
  ['a length of 6', [request(1), frame('PRIORITY', 0, 1, Buffer.alloc(6))], 'GOAWAY FRAME_SIZE_ERROR'],
]);

protocolSuite('6.4 (RST_STREAM)', [
  ['RST_STREAM on stream 0', [frame('RST_STREAM', 0, 0, uint32(8))], 'GOAWAY PROTOCOL_ERROR'],
  ['a length of 3', [request(1), frame('RST_STREAM', 0, 1, Buffer.alloc(3))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['a length of 4', [request(1), frame('RST_STREAM', 0, 1, Buffer.alloc(4))], accepted],
  ['a length of 5', [request(1), frame('RST_STREAM', 0, 1, Buffer.alloc(5))], 'GOAWAY FRAME_SIZE_ERROR'],
]);

protocolSuite('6.5 (SETTINGS)', [
  ['SETTINGS on a stream', [frame('SETTINGS', 0, 1, [])], 'GOAWAY PROTOCOL_ERROR'],
  ['an acknowledgement', [frame('SETTINGS', flag.ack, 0, [])], accepted],
  ['an acknowledgement with a payload', [frame('SETTINGS', flag.ack, 0, Buffer.alloc(6))], 'GOAWAY FRAME_SIZE_ERROR'],
  [
    'a second acknowledgement of its only SETTINGS',
    [frame('SETTINGS', flag.ack, 0, []), frame('SETTINGS', flag.ack, 0, [])],
    'GOAWAY PROTOCOL_ERROR',
  ],
  ['a length of 5', [frame('SETTINGS', 0, 0, Buffer.alloc(5))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['an unknown setting', [settings([0xff, 7])], accepted],
  [
    'an INITIAL_WINDOW_SIZE that overflows the window of an open stream',
    [request(1), frame('WINDOW_UPDATE', 0, 1, uint32(1)), settings([4, 2 ** 31 - 1])],
    'GOAWAY FLOW_CONTROL_ERROR',
  ],
  [
    'an INITIAL_WINDOW_SIZE that fills the window of an open stream',
    [request(1), settings([4, 2 ** 31 - 1])],
    accepted,
  ],
]);

protocolSuite('6.6 (PUSH_PROMISE)', [
  ['PUSH_PROMISE', [request(1), frame('PUSH_PROMISE', flag.endHeaders, 1, uint32(2))], 'GOAWAY PROTOCOL_ERROR'],
]);

protocolSuite('6.7 (PING)', [
  ['PING on a stream', [frame('PING', 0, 1, Buffer.alloc(8))], 'GOAWAY PROTOCOL_ERROR'],
  ['a length of 7', [frame('PING', 0, 0, Buffer.alloc(7))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['a length of 9', [frame('PING', 0, 0, Buffer.alloc(9))], 'GOAWAY FRAME_SIZE_ERROR'],
]);

protocolSuite('6.8 (GOAWAY)', [
  ['GOAWAY on a stream', [frame('GOAWAY', 0, 1, Buffer.alloc(8))], 'GOAWAY PROTOCOL_ERROR'],
  ['a length of 7', [frame('GOAWAY', 0, 0, Buffer.alloc(7))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['GOAWAY', [frame('GOAWAY', 0, 0, Buffer.alloc(8))], 'GOAWAY NO_ERROR'],
  ['GOAWAY with debug data', [frame('GOAWAY', 0, 0, Buffer.alloc(20))], 'GOAWAY NO_ERROR'],
]);

protocolSuite('6.9 (WINDOW_UPDATE)', [
  ['a length of 3', [frame('WINDOW_UPDATE', 0, 0, Buffer.alloc(3))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['a length of 5', [frame('WINDOW_UPDATE', 0, 0, Buffer.alloc(5))], 'GOAWAY FRAME_SIZE_ERROR'],
  ['an increment of 0 for the connection', [frame('WINDOW_UPDATE', 0, 0, uint32(0))], 'GOAWAY PROTOCOL_ERROR'],
  [
    'an increment of 0 for a stream',
    [request(1), frame('WINDOW_UPDATE', 0, 1, uint32(0))],
    'RST_STREAM 1 PROTOCOL_ERROR',
  ],
  ['a connection window of 2^31-1', [frame('WINDOW_UPDATE', 0, 0, uint32(2 ** 31 - 1 - 65_535))], accepted],
  [
    'a connection window of 2^31',
    [frame('WINDOW_UPDATE', 0, 0, uint32(2 ** 31 - 65_535))],
    'GOAWAY FLOW_CONTROL_ERROR',
  ],
  ['a stream window of 2^31-1', [request(1), frame('WINDOW_UPDATE', 0, 1, uint32(2 ** 31 - 1 - 65_535))], accepted],
  [
    'a stream window of 2^31',
    [request(1), frame('WINDOW_UPDATE', 0, 1, uint32(2 ** 31 - 65_535))],
    'RST_STREAM 1 FLOW_CONTROL_ERROR',
  ],
  ['DATA that fills the stream window', [upload(1), frame('DATA', 0, 1, Buffer.alloc(16_384))], accepted],
  [
    'DATA beyond the stream window',
    [upload(1), frame('DATA', 0, 1, Buffer.alloc(16_384)), frame('DATA', 0, 1, [1])],
    'RST_STREAM 1 FLOW_CONTROL_ERROR',
  ],
  [
    'padding beyond the stream window',
    [upload(1), frame('DATA', 0, 1, Buffer.alloc(16_383)), frame('DATA', flag.padded, 1, [1, 0])],
    'RST_STREAM 1 FLOW_CONTROL_ERROR',
  ],
]);

protocolSuite('6.10 (CONTINUATION)', [
  ['CONTINUATION without HEADERS', [frame('CONTINUATION', 4, 1, block(...get))], 'GOAWAY PROTOCOL_ERROR'],
  [
    'CONTINUATION after END_HEADERS',
    [request(1), frame('CONTINUATION', flag.endHeaders, 1, [])],
    'GOAWAY PROTOCOL_ERROR',
  ],
  [
    'a block in three fragments',
    [
      frame('HEADERS', flag.endStream, 1, block(...get.slice(0, 1))),
      frame('CONTINUATION', 0, 1, block(...get.slice(1, 2))),
      frame('CONTINUATION', flag.endHeaders, 1, block(...get.slice(2))),
    ],
    accepted,
  ],
  [
    'CONTINUATION of another stream',
    [frame('HEADERS', flag.endStream, 1, block(...get)), frame('CONTINUATION', flag.endHeaders, 3, [])],
    'GOAWAY PROTOCOL_ERROR',
  ],
  ['another frame within a block', [frame('HEADERS', flag.endStream, 1, block(...get)), ping], 'GOAWAY PROTOCOL_ERROR'],
]);

describe('HTTP/2 server, RFC 9113 section 3.4 (preface)', () => {
  test('answers another first frame than SETTINGS with GOAWAY PROTOCOL_ERROR', async (t) => {
    assert.equal(await outcomeOf(t, new RawClient(), preface, ping), 'GOAWAY PROTOCOL_ERROR');
  });

  test('closes the connection at a wrong preface without GOAWAY', async (t) => {
    assert.equal(await outcomeOf(t, new RawClient(), Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n')), closed);
  });
});

describe('HTTP/2 server, RFC 9113 section 5.1.2 (concurrency)', () => {
  for (const [name, acknowledgement, outcome] of [
    ['before the client acknowledged the limit', [], 'RST_STREAM 5 REFUSED_STREAM'],
    ['after the client acknowledged the limit', [frame('SETTINGS', flag.ack, 0, [])], 'RST_STREAM 5 PROTOCOL_ERROR'],
  ] as const) {
    test(`answers one stream too many ${name} with ${outcome}`, async (t) => {
      const client = new RawClient({ maxConcurrentStreams: 2 });
      const opening = [preface, settings(), ...acknowledgement];
      assert.equal(await outcomeOf(t, client, ...opening, request(1), request(3)), accepted);
      assert.equal(await outcomeOf(t, client, request(5)), outcome);
      assert.equal(client.streams.length, 2);
    });
  }
});

describe('HTTP/2 server, RFC 9113 section 6.9.1 (connection window)', () => {
  const open = [preface, settings(), upload(1), upload(3)];

  test('accepts DATA of all streams up to the connection window', async (t) => {
    const client = new RawClient({ windowBytes: 20_000 });
    const data = [frame('DATA', 0, 1, Buffer.alloc(16_384)), frame('DATA', 0, 3, Buffer.alloc(3_616))];
    assert.equal(await outcomeOf(t, client, ...open, ...data), accepted);
  });

  test('answers DATA beyond the connection window with GOAWAY FLOW_CONTROL_ERROR', async (t) => {
    const client = new RawClient({ windowBytes: 20_000 });
    const data = [frame('DATA', 0, 1, Buffer.alloc(16_384)), frame('DATA', 0, 3, Buffer.alloc(3_617))];
    assert.equal(await outcomeOf(t, client, ...open, ...data), 'GOAWAY FLOW_CONTROL_ERROR');
  });
});

describe('HTTP/2 server, RFC 9113 section 6.7 (PING answers)', () => {
  test('answers PING with its payload and ACK, and no acknowledgement', async (t) => {
    const client = new RawClient();
    t.after(() => client.destroy());
    const [asked, acknowledged] = [Buffer.from('12345678'), Buffer.from('87654321')];
    await client.send(preface, settings(), frame('PING', flag.ack, 0, acknowledged), frame('PING', 0, 0, asked));
    assert.deepEqual(client.answers, ['PING 1 12345678']);
  });
});

describe('HTTP/2 server, RFC 9113 section 6.8 (shutdown by the client)', () => {
  test('finishes open streams after GOAWAY, ignores new ones, then closes', async (t) => {
    const client = new RawClient();
    t.after(() => client.destroy());
    await client.send(preface, settings(), request(1), frame('GOAWAY', 0, 0, Buffer.alloc(8)), request(3));
    assert.equal(client.streams.length, 1);
    client.streams[0]?.respond([[':status', '200']], true);
    await client.send();
    assert.deepEqual(client.answers, ['GOAWAY NO_ERROR', 'HEADERS 1 5 1']);
  });
});
