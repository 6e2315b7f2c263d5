import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { flag, frame, get, preface, RawClient, request, settings, uint32, upload } from './testing/raw-client.ts';

const cancel = uint32(8);
const [limit, most] = [10, 20];

/** A client of which nothing but the requests counts: time stands still. */
function stillClient(t: {
  mock: { method(object: typeof performance, name: 'now', now: () => number): unknown };
}): RawClient {
  t.mock.method(performance, 'now', () => 1_000);
  return new RawClient({ maxConcurrentStreams: limit });
}

const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => 2 * at + 1);

// What a client may do, and what it may not any more: CVE-2023-44487, CVE-2025-8671, CVE-2019-9512.
describe('HTTP/2 server connection limits', () => {
  test('accepts two cancellations for each allowed stream, then sends ENHANCE_YOUR_CALM', async (t) => {
    const client = stillClient(t);
    const cancelled = (id: number): Buffer => Buffer.concat([request(id), frame('RST_STREAM', 0, id, cancel)]);
    await client.send(preface, settings(), ...ids(most).map(cancelled));
    assert.deepEqual(client.answers, []);
    await client.send(cancelled(2 * most + 1));
    assert.deepEqual(client.answers, ['GOAWAY ENHANCE_YOUR_CALM']);
    client.destroy();
  });

  test('resets two faulty requests for each allowed stream, then sends ENHANCE_YOUR_CALM', async (t) => {
    const client = stillClient(t);
    const faulty = (id: number): Buffer => request(id, get.slice(1));
    await client.send(preface, settings(), ...ids(most).map(faulty));
    assert.deepEqual(
      client.answers,
      ids(most).map((id) => `RST_STREAM ${id} PROTOCOL_ERROR`),
    );
    await client.send(faulty(2 * most + 1));
    assert.equal(client.answers.at(-1), 'GOAWAY ENHANCE_YOUR_CALM');
    client.destroy();
  });

  test('accepts 100 changes of the initial window with open streams, then sends ENHANCE_YOUR_CALM', async (t) => {
    const client = stillClient(t);
    const changes = (count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => settings([4, 100])));
    await client.send(preface, settings(), changes(200), request(1), changes(100));
    assert.deepEqual(client.answers, []);
    await client.send(changes(1));
    assert.deepEqual(client.answers, ['GOAWAY ENHANCE_YOUR_CALM']);
    client.destroy();
  });

  test('ignores DATA of the last 256 streams that it reset, and resets older ones with STREAM_CLOSED', async (t) => {
    const client = stillClient(t);
    await client.send(preface, settings());
    for (const id of ids(257)) {
      await client.send(upload(id));
      client.streams.at(-1)?.reset(8);
    }
    await client.send();
    const before = client.answers.length;
    await client.send(frame('DATA', 0, 3, [1]), frame('DATA', 0, 513, [1]));
    assert.equal(client.answers.length, before);
    await client.send(frame('DATA', 0, 1, [1]));
    assert.deepEqual(client.answers.slice(before), ['RST_STREAM 1 STREAM_CLOSED']);
    client.destroy();
  });
});

describe('HTTP/2 server flow control', () => {
  test('gives the window of stream and connection back for the bytes that were read', async (t) => {
    const client = new RawClient({ frameBytes: 16_384, windowBytes: 32_768 });
    t.after(() => client.destroy());
    await client.send(preface, settings(), upload(1), frame('DATA', 0, 1, Buffer.alloc(16_384)));
    assert.deepEqual(client.answers, []);
    assert.equal(client.streams[0]?.body?.read()?.length, 16_384);
    await client.send();
    assert.deepEqual(new Set(client.answers), new Set(['WINDOW_UPDATE 0 16384', 'WINDOW_UPDATE 1 16384']));
  });

  test('sends DATA up to the window of the stream, and the rest after WINDOW_UPDATE', async (t) => {
    const client = new RawClient();
    t.after(() => client.destroy());
    await client.send(preface, settings([4, 100]), request(1));
    client.streams[0]?.respond([[':status', '200']], false);
    client.streams[0]?.endWith([Buffer.alloc(150)]);
    await client.send();
    assert.deepEqual(client.answers, [`HEADERS 1 ${flag.endHeaders} 1`, 'DATA 1 0 100']);
    await client.send(frame('WINDOW_UPDATE', 0, 1, uint32(49)));
    await client.send(frame('WINDOW_UPDATE', 0, 1, uint32(1)));
    assert.deepEqual(client.answers.slice(2), ['DATA 1 0 49', `DATA 1 ${flag.endStream} 1`]);
  });

  test('waits until a window below zero is open again (section 6.9.2)', async (t) => {
    const client = new RawClient();
    t.after(() => client.destroy());
    await client.send(preface, settings([4, 100]), request(1));
    client.streams[0]?.respond([[':status', '200']], false);
    client.streams[0]?.endWith([Buffer.alloc(101)]);
    await client.send(settings([4, 60]), frame('WINDOW_UPDATE', 0, 1, uint32(40)));
    assert.equal(client.answers.at(-1), 'DATA 1 0 100');
    await client.send(frame('WINDOW_UPDATE', 0, 1, uint32(1)));
    assert.equal(client.answers.at(-1), `DATA 1 ${flag.endStream} 1`);
  });

  test('splits DATA at SETTINGS_MAX_FRAME_SIZE', async (t) => {
    const client = new RawClient();
    t.after(() => client.destroy());
    await client.send(preface, settings([5, 20_000]), request(1));
    client.streams[0]?.respond([[':status', '200']], false);
    client.streams[0]?.endWith([Buffer.alloc(30_000)]);
    await client.send();
    assert.deepEqual(client.answers.slice(1), ['DATA 1 0 20000', `DATA 1 ${flag.endStream} 10000`]);
  });

  test('splits a header block at SETTINGS_MAX_FRAME_SIZE into HEADERS and CONTINUATION', async (t) => {
    const client = new RawClient();
    t.after(() => client.destroy());
    await client.send(preface, settings(), request(1));
    client.streams[0]?.respond(
      [
        [':status', '200'],
        ['warning', 'x'.repeat(20_000)],
      ],
      true,
    );
    await client.send();
    const [first, second] = client.answers.map((answer) => answer.split(' '));
    assert.deepEqual(first, ['HEADERS', '1', String(flag.endStream), '16384']);
    assert.deepEqual(second?.slice(0, 3), ['CONTINUATION', '1', String(flag.endHeaders)]);
  });
});
