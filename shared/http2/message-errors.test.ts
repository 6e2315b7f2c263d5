import { accepted, protocolSuite } from './testing/protocol-suite.ts';
import { block, flag, frame, get, post, request, upload } from './testing/raw-client.ts';

// Malformed messages (RFC 9113 section 8), answered as golang.org/x/net/http2 does.

const ended = flag.endStream | flag.endHeaders;

protocolSuite('8.1 (message framing)', [
  ['trailers', [upload(1), frame('HEADERS', ended, 1, block(['x-a', 'b']))], accepted],
  [
    'trailers without END_STREAM',
    [upload(1), frame('HEADERS', flag.endHeaders, 1, block(['x-a', 'b']))],
    'RST_STREAM 1 PROTOCOL_ERROR',
  ],
  [
    'trailers with a pseudo-header field',
    [upload(1), frame('HEADERS', ended, 1, block([':path', '/']))],
    'RST_STREAM 1 PROTOCOL_ERROR',
  ],
  [
    'as much DATA as Content-Length says',
    [upload(1, ['content-length', '2']), frame('DATA', flag.endStream, 1, [1, 2])],
    accepted,
  ],
  [
    'more DATA than Content-Length says',
    [upload(1, ['content-length', '2']), frame('DATA', 0, 1, [1, 2, 3])],
    'RST_STREAM 1 PROTOCOL_ERROR',
  ],
]);

const malformed = 'RST_STREAM 1 PROTOCOL_ERROR';
protocolSuite('8.2 (fields)', [
  ['a name with a capital', [request(1, [...get, ['X-a', 'b']])], malformed],
  ['a name with a space', [request(1, [...get, ['x a', 'b']])], malformed],
  ['an empty name', [request(1, [...get, ['', 'b']])], malformed],
  ['a value with NUL', [request(1, [...get, ['x-a', 'b\0']])], malformed],
  ['a value with a line feed', [request(1, [...get, ['x-a', 'b\nc']])], malformed],
  ['a value with a carriage return', [request(1, [...get, ['x-a', 'b\rc']])], malformed],
  ['a value with DEL', [request(1, [...get, ['x-a', '\x7f']])], malformed],
  ['a value with a tab and a byte above 0x7f', [request(1, [...get, ['x-a', 'b\t\xe9']])], accepted],
]);

protocolSuite('8.3 (pseudo-header fields)', [
  ['an unknown pseudo-header field', [request(1, [...get, [':x', 'y']])], malformed],
  ['a pseudo-header field of responses', [request(1, [...get, [':status', '200']])], malformed],
  ['a pseudo-header field after a regular one', [request(1, [['x-a', 'b'], ...get])], malformed],
  ['a repeated pseudo-header field', [request(1, [...get, [':path', '/']])], malformed],
  ['a request without :method', [request(1, get.slice(1))], malformed],
  [
    'a request without :scheme',
    [
      request(
        1,
        get.filter(([name]) => name !== ':scheme'),
      ),
    ],
    malformed,
  ],
  ['a request without :path', [request(1, get.slice(0, 2))], malformed],
  ['an empty :path', [request(1, [...get.slice(0, 2), [':path', '']])], malformed],
  [
    'CONNECT with :authority alone',
    [
      request(1, [
        [':method', 'CONNECT'],
        [':authority', 'a:1'],
      ]),
    ],
    accepted,
  ],
  ['CONNECT without :authority', [request(1, [[':method', 'CONNECT']])], malformed],
  [
    'CONNECT with :path',
    [
      request(1, [
        [':method', 'CONNECT'],
        [':authority', 'a:1'],
        [':path', '/'],
      ]),
    ],
    malformed,
  ],
  ['POST without a body', [request(1, post)], accepted],
]);
