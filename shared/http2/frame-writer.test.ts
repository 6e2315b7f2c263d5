import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { FrameWriter, type DataSource } from './frame-writer.ts';
import { ConnectionFault, pingFrame, StreamFault } from './frames.ts';
import { gatherBytes } from './gather-memory.ts';

/** A socket whose buffer has the state that the test gives it, and which notes what is written. */
function socketOf(state: { writableNeedDrain?: boolean; writableLength?: number } = {}): {
  readonly socket: Socket;
  readonly written: Buffer[];
  readonly drain: () => void;
} {
  const written: Buffer[] = [];
  let drain: () => void = () => undefined;
  const socket = {
    writable: true,
    writableNeedDrain: false,
    writableLength: 0,
    ...state,
    on: (_event: string, listener: () => void) => (drain = listener),
    write: (bytes: Buffer) => written.push(Buffer.from(bytes)),
    cork: () => undefined,
    uncork: () => undefined,
  };
  return { socket: socket as unknown as Socket, written, drain: () => drain() };
}

/** A stream with so many bytes to send. */
class Source implements DataSource {
  sendWindow = 2 ** 31 - 1;
  readonly endsWithData = false;
  readonly id: number;
  queuedBytes: number;

  constructor(id: number, queuedBytes: number) {
    this.id = id;
    this.queuedBytes = queuedBytes;
  }

  take(bytes: number, into: Buffer[]): void {
    this.queuedBytes -= bytes;
    into.push(Buffer.alloc(bytes));
  }

  copy(bytes: number): void {
    this.queuedBytes -= bytes;
  }

  emptied(): void {}
}

/** Streams and lengths of the DATA frames that were written. */
function frames(written: readonly Buffer[]): string[] {
  const all = Buffer.concat(written);
  const found: string[] = [];
  for (let at = 0; at < all.length; at += 9 + all.readUIntBE(at, 3))
    found.push(`${all.readUInt32BE(at + 5)}: ${all.readUIntBE(at, 3)}`);
  return found;
}

describe('FrameWriter', () => {
  test('accepts 10,000 frames while the client reads none, and reports a flood at the next', () => {
    let floods = 0;
    const { socket } = socketOf({ writableNeedDrain: true });
    const writer = new FrameWriter(socket, () => floods++);
    for (let sent = 0; sent < 10_000; sent++) writer.control(pingFrame(1, Buffer.alloc(8)));
    assert.equal(floods, 0);
    writer.control(pingFrame(1, Buffer.alloc(8)));
    assert.equal(floods, 1);
    writer.close();
  });

  test('counts unread frames anew once the client has read', () => {
    const { socket, drain } = socketOf({ writableNeedDrain: true });
    const writer = new FrameWriter(socket, () => assert.fail());
    for (let round = 0; round < 2; round++) {
      for (let sent = 0; sent < 10_000; sent++) writer.control(pingFrame(1, Buffer.alloc(8)));
      drain();
    }
    writer.close();
  });

  test('sends frames of 64 KiB at most, in turns of the streams, up to the window of the connection', () => {
    const { socket, written } = socketOf();
    const writer = new FrameWriter(socket, () => assert.fail());
    writer.largestFrame = 2 ** 24 - 1;
    // A window of 65,535 bytes is open from the beginning (RFC 9113 section 6.9.2).
    writer.openWindow(200_000 - 65_535);
    writer.data(new Source(1, 100_000));
    writer.data(new Source(3, 200_000));
    writer.flush();
    assert.deepEqual(frames(written), ['1: 65536', '1: 34464', '3: 65536', '3: 34464']);
    writer.close();
  });

  test('sends no more DATA once 256 KiB wait in the socket', () => {
    for (const [waiting, sent] of [
      [256 * 1024 - 1, 1],
      [256 * 1024, 0],
    ] as const) {
      const { socket, written } = socketOf({ writableLength: waiting });
      const writer = new FrameWriter(socket, () => assert.fail());
      writer.data(new Source(1, 10));
      writer.flush();
      assert.equal(written.length, sent, `${waiting} bytes wait`);
      writer.close();
    }
  });

  test('writes the frames of many streams as one buffer, long payloads apart', () => {
    const { socket, written } = socketOf();
    const writer = new FrameWriter(socket, () => assert.fail());
    writer.openWindow(1_000_000);
    for (let id = 1; id <= 99; id += 2) writer.data(new Source(id, 1_000));
    writer.flush();
    assert.equal(written.length, 1);
    writer.data(new Source(101, 100_000));
    writer.flush();
    const lengths = written.slice(1).map(({ length }) => length);
    assert.deepEqual(lengths, [9, 16_384, 9, 16_384, 9, 16_384, 9, 16_384, 9, 16_384, 9, 16_384, 9 + 1_696]);
    writer.close();
  });

  test('places a payload at once only where windows, socket and other streams allow all of it', () => {
    const { socket, written } = socketOf();
    const writer = new FrameWriter(socket, () => assert.fail());
    const source = new Source(1, 0);
    source.sendWindow = 5;
    assert.equal(writer.place(source, 6, false), -1);
    const at = writer.place(source, 5, true);
    writer.memory.write('event', at, 'latin1');
    assert.equal(source.sendWindow, 0);
    assert.equal(writer.place(new Source(3, 0), 16_384, false), -1);
    writer.flush();
    assert.equal(Buffer.concat(written).toString('latin1'), '\0\0\x05\0\x01\0\0\0\x01event');
    // What is left of the connection's window of 65,535 bytes.
    writer.data(new Source(5, 100_000));
    assert.equal(writer.place(new Source(7, 0), 1, false), -1);
    writer.close();
  });

  test('uses a block again when it was written, and never after a failed write', () => {
    const done: ((error?: Error) => void)[] = [];
    const { socket } = socketOf();
    const blocks: ArrayBufferLike[] = [];
    Object.assign(socket, {
      write: (bytes: Buffer, written: (error?: Error) => void) => {
        blocks.push(bytes.buffer);
        done.push(written);
      },
    });
    const writer = new FrameWriter(socket, () => assert.fail());
    const send = (): void => {
      writer.control(pingFrame(1, Buffer.alloc(8)));
      writer.flush();
    };
    send();
    send();
    assert.notEqual(blocks[0], blocks[1], 'while it waits in the socket');
    done[0]?.();
    send();
    assert.equal(blocks[2], blocks[0]);
    done[1]?.(new Error('broken'));
    done[2]?.();
    send();
    send();
    assert.ok(!blocks.slice(3).includes(blocks[1] as ArrayBufferLike));
    for (const written of done.slice(3)) written();
  });

  test('copies what it writes to a client that does not read, so that few clients hold no memory of others', () => {
    const blocks = new Set<ArrayBufferLike>();
    const { socket } = socketOf({ writableNeedDrain: true });
    Object.assign(socket, { write: (bytes: Buffer) => blocks.add(bytes.buffer) });
    const writer = new FrameWriter(socket, () => assert.fail());
    for (let sent = 0; sent < 100; sent++) {
      writer.control(pingFrame(1, Buffer.alloc(8)));
      writer.flush();
    }
    for (const { byteLength } of blocks) assert.ok(byteLength < gatherBytes);
  });

  test('accepts windows of 2^31-1, and throws for a byte more', () => {
    const writer = new FrameWriter(socketOf().socket, () => assert.fail());
    writer.openWindow(2 ** 31 - 1 - 65_535);
    assert.throws(() => writer.openWindow(1), ConnectionFault);
    const source = new Source(1, 0);
    source.sendWindow = 2 ** 31 - 2;
    writer.openStreamWindow(source, 1);
    assert.throws(() => writer.openStreamWindow(source, 1), StreamFault);
  });
});
