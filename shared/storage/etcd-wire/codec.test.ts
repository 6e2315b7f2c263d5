import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ProtobufError } from '#shared/protobuf/protobuf-reader.ts';
import { decodeMessage, encodeMessage } from './codec.ts';
import { keyValue, rangeRequest, txnRequest, txnResponse } from './kv-types.ts';
import { leaseGrantRequest } from './lease-types.ts';
import { watchRequest, watchResponse } from './watch-types.ts';

const b = (text: string): Buffer => Buffer.from(text);

describe('encodeMessage', () => {
  test('writes the bytes of the Go client for a range request', () => {
    const bytes = encodeMessage(rangeRequest, {
      key: b('a'),
      rangeEnd: b('b'),
      limit: 500,
      revision: 300,
      sortOrder: 'DESCEND',
      serializable: true,
    });
    assert.equal(bytes.toString('hex'), '0a0161120162' + '18f403' + '20ac02' + '2802' + '3801');
  });
});

describe('encodeMessage and decodeMessage', () => {
  test('round-trip numbers at the boundaries of varint lengths', () => {
    for (const revision of [
      0,
      1,
      127,
      128,
      16383,
      16384,
      2 ** 21,
      2 ** 28 - 1,
      2 ** 28,
      2 ** 31 - 1,
      2 ** 31,
      2 ** 32,
      2 ** 40 + 1,
      Number.MAX_SAFE_INTEGER,
      -1,
      -(2 ** 40),
    ]) {
      const bytes = encodeMessage(rangeRequest, { key: b('k'), revision });
      assert.equal(decodeMessage(rangeRequest, bytes).revision, revision, String(revision));
    }
  });

  test('round-trip all 64 bits of lease ids', () => {
    for (const id of ['7587848395843', '9223372036854775807', '-9223372036854775808', '-1', '0', '9007199254740993']) {
      assert.equal(decodeMessage(leaseGrantRequest, encodeMessage(leaseGrantRequest, { ttl: 5, id })).id, id);
    }
  });

  test('round-trip nested transactions', () => {
    const request = {
      compare: [{ target: 'MOD', result: 'EQUAL', key: b('k'), modRevision: 7, rangeEnd: b('z') }],
      success: [
        { requestPut: { key: b('k'), value: b('v'), lease: '9' } },
        { requestTxn: { success: [{ requestDeleteRange: { key: b('x') } }] } },
      ],
      failure: [{ requestRange: { key: b('k') } }],
    } as const;
    const decoded = decodeMessage(txnRequest, encodeMessage(txnRequest, request));
    assert.equal(decoded.compare?.[0]?.modRevision, 7);
    assert.equal(decoded.compare?.[0]?.rangeEnd?.toString(), 'z');
    assert.equal(decoded.success?.[0]?.requestPut?.lease, '9');
    assert.equal(decoded.success?.[1]?.requestTxn?.success?.[0]?.requestDeleteRange?.key.toString(), 'x');
    assert.equal(decoded.failure?.[0]?.requestRange?.key.toString(), 'k');
  });

  test('keep an empty nested message apart from an absent one', () => {
    const bytes = encodeMessage(txnResponse, { succeeded: true, responses: [{ responsePut: {} }] });
    const decoded = decodeMessage(txnResponse, bytes);
    assert.deepEqual(decoded.responses[0]?.responsePut, { header: undefined, prevKv: undefined });
    assert.equal(decoded.responses[0]?.responseRange, undefined);
  });

  test('accept encoded bytes as a nested message', () => {
    const kv = encodeMessage(keyValue, {
      key: b('k'),
      value: b('v'),
      modRevision: 3,
      createRevision: 2,
      version: 2,
      lease: '0',
    });
    const bytes = encodeMessage(watchResponse, { watchId: -1, events: [{ type: 'DELETE', kv }] });
    const decoded = decodeMessage(watchResponse, bytes);
    assert.equal(decoded.watchId, -1);
    assert.equal(decoded.events[0]?.type, 'DELETE');
    assert.equal(decoded.events[0]?.kv?.modRevision, 3);
  });
});

describe('decodeMessage', () => {
  test('reads repeated enums packed and unpacked', () => {
    const packed = encodeMessage(watchRequest, { createRequest: { key: b('k'), filters: ['NOPUT', 'NODELETE'] } });
    assert.deepEqual(decodeMessage(watchRequest, packed).createRequest?.filters, ['NOPUT', 'NODELETE']);
    const unpacked = Buffer.from('0a07' + '0a016b' + '2800' + '2801', 'hex');
    assert.deepEqual(decodeMessage(watchRequest, unpacked).createRequest?.filters, ['NOPUT', 'NODELETE']);
  });

  test('skips unknown fields', () => {
    const extra = Buffer.concat([
      encodeMessage(rangeRequest, { key: b('k') }),
      Buffer.from('a20603010203' + 'a80607' + 'b50600000000' + 'b1060000000000000000', 'hex'),
    ]);
    assert.equal(decodeMessage(rangeRequest, extra).key.toString(), 'k');
  });

  test('rejects truncated and deeply nested input with a ProtobufError', () => {
    const good = encodeMessage(txnRequest, {
      compare: [{ key: b('key'), modRevision: 300 }],
      success: [{ requestPut: { key: b('key'), value: b('value') } }],
    });
    for (let length = 1; length < good.length; length++) {
      try {
        decodeMessage(txnRequest, good.subarray(0, length));
      } catch (error) {
        assert.ok(error instanceof ProtobufError);
      }
    }
    let nested: Buffer = encodeMessage(txnRequest, {});
    for (let depth = 0; depth < 200; depth++) nested = encodeMessage(txnRequest, { success: [{ requestTxn: nested }] });
    assert.throws(() => decodeMessage(txnRequest, nested), ProtobufError);
  });
});

describe('encodeMessage with large values', () => {
  test('grows its buffer', () => {
    const value = Buffer.alloc(3 * 1024 * 1024, 7);
    const decoded = decodeMessage(keyValue, encodeMessage(keyValue, { key: b('k'), value }));
    assert.ok(decoded.value.equals(value));
  });

  test('writes values of 100 kB as it writes small ones', () => {
    const large = (fill: string): Buffer => Buffer.alloc(100_000, fill);
    const puts = [large('a'), b('small'), large('b'), large('c')].map((value, i) => ({
      requestPut: { key: b(`key-${i}`), value },
    }));
    const bytes = encodeMessage(txnRequest, { success: puts }, 5);
    assert.deepEqual(
      decodeMessage(txnRequest, bytes.subarray(5)).success?.map(({ requestPut }) => requestPut?.value?.toString()),
      puts.map(({ requestPut: { value } }) => value.toString()),
    );
    const [first] = puts;
    assert.ok(first);
    // 12: success, 12: the put, 0a: its key, 12: its value, each with its length.
    const value = Buffer.concat([Buffer.from('12a08d06', 'hex'), first.requestPut.value]);
    const put = Buffer.concat([Buffer.from('0a05', 'hex'), b('key-0'), value]);
    assert.equal(
      encodeMessage(txnRequest, { success: [first] }).toString('latin1'),
      Buffer.concat([Buffer.from('12af8d0612ab8d06', 'hex'), put]).toString('latin1'),
    );
    assert.equal(encodeMessage(rangeRequest, { key: b('a') }).toString('hex'), '0a0161');
  });
});
