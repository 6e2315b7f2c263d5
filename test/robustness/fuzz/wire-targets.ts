import { decodeKeyValue, encodeKeyValue } from '#servers/store/mvcc/kv-encoding.ts';
import { frameHeadBytes, writeFrameHead } from '#shared/frames/frame-head.ts';
import { FrameParser } from '#shared/frames/frame-parser.ts';
import { readHeaderLines } from '#shared/process/hop/hop-protocol.ts';
import { readRequestHead } from '#shared/process/hop/hop-request-head.ts';
import { decodeMessage, encodeMessage } from '#shared/storage/etcd-wire/codec.ts';
import type { MessageType } from '#shared/storage/etcd-wire/message-type.ts';
import { streamMethods, unaryMethods } from '#shared/storage/etcd-wire/method-table.ts';
import { createFieldsTarget } from './fields-target.ts';
import { promise } from './fuzz-target.ts';
import type { FuzzTarget } from './fuzz-target.ts';
import { wireTokens } from './samples.ts';

const methods = [...Object.values(unaryMethods), ...Object.values(streamMethods)] as readonly {
  readonly request: MessageType<object>;
  readonly response: MessageType<object>;
}[];

const txn = encodeMessage(unaryMethods['KV/Txn'].request, {
  compare: [{ result: 'EQUAL', target: 'MOD', key: Buffer.from('/registry/a'), modRevision: 5 }],
  success: [{ requestPut: { key: Buffer.from('/registry/a'), value: Buffer.from('v'), lease: '-5' } }],
  failure: [
    { requestRange: { key: Buffer.from('/registry/a'), limit: 1 } },
    { requestTxn: { compare: [], success: [], failure: [] } },
  ],
});
const range = encodeMessage(unaryMethods['KV/Range'].response, {
  header: { clusterId: '18446744073709551615', revision: 9 },
  kvs: [{ key: Buffer.from('k'), value: Buffer.from('v'), modRevision: 3 }],
  count: 1,
});

/** Once a message was read it is written and read as the same. */
function messages(bytes: Buffer): void {
  const method = methods[bytes.length % methods.length];
  if (method === undefined) return;
  for (const type of [method.request, method.response]) {
    const message = decodeMessage(type, bytes);
    let written: Buffer;
    try {
      written = encodeMessage(type, message as never);
    } catch (error) {
      // A number of an enumeration that has no name.
      if (error instanceof TypeError && error.message.includes('no such value: UNKNOWN')) continue;
      throw error;
    }
    promise(
      written.equals(encodeMessage(type, decodeMessage(type, written) as never)),
      'a message changes when it is written and read',
    );
  }
}

/** Frames are the same whether bytes come at once or in pieces. */
function frames(bytes: Buffer): void {
  const read = (pieces: readonly Buffer[]): string[] => {
    const seen: string[] = [];
    const parser = new FrameParser(
      {
        onFrame: (callId, method, flags, payload) =>
          void seen.push(`${callId}/${method}/${flags}/${payload.toString('latin1')}`),
      },
      1 << 16,
    );
    for (const piece of pieces) parser.push(piece);
    return seen;
  };
  const middle = Math.floor(bytes.length / 3);
  promise(
    read([bytes]).join() ===
      read([bytes.subarray(0, middle), bytes.subarray(middle, middle + 1), bytes.subarray(middle + 1)]).join(),
    'frames depend on how the bytes came',
  );
}

function frame(payload: Buffer): Buffer {
  return writeFrameHead(Buffer.concat([Buffer.alloc(frameHeadBytes), payload]), 7, 4, 0);
}

function requestHead(line: string, shared: string): Buffer {
  const own = Buffer.from(line, 'latin1');
  const head = Buffer.alloc(5);
  head[0] = 1;
  head.writeUInt32BE(own.length, 1);
  return Buffer.concat([head, own, Buffer.from(shared, 'latin1')]);
}

/** What processes say to each other, and what is on the disk. */
export const wireTargets: readonly FuzzTarget[] = [
  { name: 'etcd-messages', samples: [txn, range], tokens: wireTokens, refusals: ['ProtobufError'], run: messages },
  {
    name: 'store-frames',
    samples: [Buffer.concat([frame(txn), frame(range), frame(Buffer.alloc(0))])],
    tokens: ['\x00\x00\x00\x00', '\x00\x00\x00\x01', '\xff\xff\xff\xff', '\x00\x01\x00\x00'],
    refusals: ['FrameError'],
    run: frames,
  },
  {
    name: 'hop-head',
    refusals: ['FrameError', 'RangeError'],
    tokens: ['\n', ' ', ':', '\r\n', '__proto__: x\n', 'host: b\n', 'x-remote-user: c\n', '\x00'],
    samples: [requestHead('GET /api/v1/pods?x=y\nx-remote-user: a\n', 'host: localhost\naccept: */*\naccept: b\n')],
    run: (bytes) => {
      const { headers } = readRequestHead(bytes);
      promise(Object.getPrototypeOf(headers) === Object.prototype, 'a header became the prototype of all');
      readHeaderLines(bytes.toString('latin1'));
    },
  },
  {
    name: 'store-rows',
    samples: [
      encodeKeyValue(
        { key: '/registry/a', createRevision: 1, modRevision: 2, version: 3, lease: '-4' },
        Buffer.from('value'),
      ),
    ],
    tokens: wireTokens,
    refusals: ['ProtobufError'],
    run: (bytes) => void decodeKeyValue(bytes),
  },
  createFieldsTarget(),
];
