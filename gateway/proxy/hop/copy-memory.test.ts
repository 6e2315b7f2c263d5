import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CopyMemory, type CopyRoom } from './copy-memory.ts';

function filled(memory: CopyMemory, text: string): { room: CopyRoom; copy: Buffer; release: (error?: Error) => void } {
  const room = memory.room();
  const copy = room.copy(Buffer.from(text));
  return { room, copy, release: room.hold() };
}

describe('CopyMemory', () => {
  test('keeps a copy unchanged until its room is closed and every holder has released it', () => {
    const memory = new CopyMemory();
    const { room, copy, release } = filled(memory, 'abc');
    room.close();
    assert.equal(copy.toString(), 'abc');
    assert.equal(memory.blocks, 1);
    release();
    assert.equal(memory.blocks, 0);
    assert.equal(copy.length, 0, 'its memory is freed');
  });

  test('shares blocks between rooms, and frees a block with its last room', () => {
    const memory = new CopyMemory();
    const all = Array.from({ length: 20 }, (_, at) => filled(memory, `room ${at}`));
    assert.equal(memory.blocks, 2);
    for (const { room } of all) room.close();
    for (const { release } of all.slice(1)) release();
    assert.equal(memory.blocks, 1);
    assert.equal(all[0]?.copy.toString(), 'room 0');
    all[0]?.release();
    assert.equal(memory.blocks, 0);
  });

  test('fills rooms again that were closed and released', () => {
    const memory = new CopyMemory();
    const stays = filled(memory, 'stays');
    for (let times = 0; times < 1_000; times++) {
      const { room, release } = filled(memory, 'goes');
      release();
      room.close();
    }
    assert.equal(memory.blocks, 1);
    assert.equal(stays.copy.toString(), 'stays');
  });

  test('keeps the bytes of a failed write for a minute, then frees them', (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const memory = new CopyMemory();
    const { room, copy, release } = filled(memory, 'abc');
    room.close();
    release(new Error('the client is gone'));
    assert.equal(copy.toString(), 'abc');
    const next = filled(memory, 'def');
    assert.equal(copy.toString(), 'abc');
    next.release();
    next.room.close();
    t.mock.timers.tick(60_000);
    assert.equal(memory.blocks, 0);
    assert.equal(copy.length, 0);
  });

  test('truncates a copy to what the room has left, and reports the room full', () => {
    const room = new CopyMemory().room();
    const bytes = Buffer.alloc(100_000, 'x');
    const first = room.copy(bytes);
    assert.ok(first.length < bytes.length);
    assert.equal(room.isFull, true);
    assert.equal(room.copy(bytes).length, 0);
  });
});
