import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { ConnectionFault } from './frames.ts';
import { readSettings, type PeerSettings } from './peer-settings.ts';
import { settings, type Setting } from './testing/raw-client.ts';

/** The payload of a SETTINGS frame. */
const payload = (...pairs: readonly Setting[]): Buffer => settings(...pairs).subarray(9);
const many = (count: number): Setting[] => Array.from({ length: count }, (_, at) => [1_000 + at, 0]);

/** Error codes of RFC 9113 section 7. */
const [protocolError, flowControlError, frameSizeError] = [1, 3, 6];

// RFC 9113 section 6.5.2: the last value that is taken, the first that is refused.
const limits: readonly (readonly [name: string, taken: Buffer, read: PeerSettings, refused: Buffer, code: number])[] = [
  [
    'INITIAL_WINDOW_SIZE above 2^31-1',
    payload([4, 2 ** 31 - 1]),
    { initialWindowSize: 2 ** 31 - 1 },
    payload([4, 2 ** 31]),
    flowControlError,
  ],
  [
    'MAX_FRAME_SIZE below 2^14',
    payload([5, 2 ** 14]),
    { maxFrameSize: 2 ** 14 },
    payload([5, 2 ** 14 - 1]),
    protocolError,
  ],
  [
    'MAX_FRAME_SIZE above 2^24-1',
    payload([5, 2 ** 24 - 1]),
    { maxFrameSize: 2 ** 24 - 1 },
    payload([5, 2 ** 24]),
    protocolError,
  ],
  ['ENABLE_PUSH above 1', payload([2, 1]), {}, payload([2, 2]), protocolError],
  // As golang.org/x/net/http2 limits and checks them.
  ['more than 100 settings', payload(...many(100)), {}, payload(...many(101)), protocolError],
  ['a setting twice', payload([1, 0], [3, 0]), { headerTableSize: 0 }, payload([1, 0], [1, 0]), protocolError],
  ['a length that is no multiple of 6', payload([6, 1]), {}, payload([6, 1]).subarray(1), frameSizeError],
];

describe('readSettings', () => {
  for (const [name, taken, read, refused, code] of limits) {
    test(`refuses ${name}, and accepts the value before`, () => {
      assert.deepEqual(readSettings(taken), read);
      assert.throws(
        () => readSettings(refused),
        (error) => error instanceof ConnectionFault && error.code === code,
      );
    });
  }

  test('returns HEADER_TABLE_SIZE up to 2^32-1, and ignores settings without effect on a server', () => {
    assert.deepEqual(readSettings(payload([1, 2 ** 32 - 1], [2, 0], [3, 5], [6, 7], [0xff, 8])), {
      headerTableSize: 2 ** 32 - 1,
    });
    assert.deepEqual(readSettings(Buffer.alloc(0)), {});
  });
});
