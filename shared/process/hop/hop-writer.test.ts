import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { FrameParser } from '#shared/frames/frame-parser.ts';
import { eachRepetition, hopFrame, maxHopFrameBytes } from './hop-protocol.ts';
import { HopWriter } from './hop-writer.ts';

interface SeenFrame {
  readonly type: number;
  readonly streams: number[];
  readonly bytes: number;
}

/** A writer, and the frames that its socket gets. `waiting` bytes stay in the socket after each write. */
function writerOf(waiting = 0): { readonly writer: HopWriter; readonly frames: () => SeenFrame[] } {
  const written: Buffer[] = [];
  const socket = {
    writableLength: waiting,
    destroyed: false,
    on: () => undefined,
    cork: () => undefined,
    uncork: () => undefined,
    write: (bytes: Buffer) => written.push(Buffer.from(bytes)),
  };
  const frames = (): SeenFrame[] => {
    const seen: SeenFrame[] = [];
    const onFrame = (id: number, type: number, _flags: number, payload: Buffer): void => {
      const streams: number[] = [];
      if (type === hopFrame.same) eachRepetition(id, payload, (stream) => streams.push(stream));
      else streams.push(id);
      seen.push({ type, streams, bytes: payload.length });
    };
    new FrameParser({ onFrame }, maxHopFrameBytes).push(Buffer.concat(written));
    return seen;
  };
  return { writer: new HopWriter(socket as unknown as Socket, () => undefined), frames };
}

describe('HopWriter', () => {
  test('names all further streams of the same data in one frame', () => {
    const { writer, frames } = writerOf();
    const event = Buffer.from('event');
    for (const stream of [1, 2, 3, 4]) writer.data(stream, event);
    writer.flush();
    assert.deepEqual(frames(), [
      { type: hopFrame.data, streams: [1], bytes: 5 },
      { type: hopFrame.same, streams: [2, 3, 4], bytes: 8 },
    ]);
  });

  test('begins another frame of streams behind any other frame, and after a flush', () => {
    for (const waiting of [0, 1]) {
      const { writer, frames } = writerOf(waiting);
      const event = Buffer.from('event');
      for (const stream of [1, 2, 3]) writer.data(stream, event);
      writer.end(2, '');
      for (const stream of [4, 5]) writer.data(stream, event);
      writer.flush();
      for (const stream of [6, 7]) writer.data(stream, event);
      writer.flush();
      assert.deepEqual(frames(), [
        { type: hopFrame.data, streams: [1], bytes: 5 },
        { type: hopFrame.same, streams: [2, 3], bytes: 4 },
        { type: hopFrame.end, streams: [2], bytes: 0 },
        { type: hopFrame.same, streams: [4, 5], bytes: 4 },
        { type: hopFrame.same, streams: [6, 7], bytes: 4 },
      ]);
    }
  });

  test('names every stream where they fill more than the memory of a write', () => {
    const { writer, frames } = writerOf();
    const event = Buffer.alloc(20_000);
    const streams = Array.from({ length: 40_000 }, (_, at) => at + 1);
    for (const stream of streams) writer.data(stream, event);
    writer.flush();
    const [data, ...rest] = frames();
    assert.deepEqual(data, { type: hopFrame.data, streams: [1], bytes: 20_000 });
    assert.ok(rest.every(({ type }) => type === hopFrame.same));
    assert.deepEqual(
      rest.flatMap((frame) => frame.streams),
      streams.slice(1),
    );
  });
});
