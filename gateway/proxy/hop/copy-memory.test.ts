import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CopyMemory, type CopyRoom } from './copy-memory.ts';

function filled(memory: CopyMemory, text: string): { room: CopyRoom; copy: Buffer; release: (error?: Error) => void } {
  const room = memory.room();
  const copy = room.copy(Buffer.from(text));
  return { room, copy, release: room.hold() };
}

test('a copy stays as it is until its room is closed and those who hold it are through', () => {
  const memory = new CopyMemory();
  const { room, copy, release } = filled(memory, 'abc');
  room.close();
  assert.equal(copy.toString(), 'abc');
  assert.equal(memory.blocks, 1);
  release();
  assert.equal(memory.blocks, 0);
  assert.equal(copy.length, 0, 'its memory is freed');
});

test('rooms share blocks, and a block is freed with its last room', () => {
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

test('rooms that were left are filled again', () => {
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

test('what a failed write may still read is neither filled again nor freed at once', (t) => {
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

test('a room takes as much as it has', () => {
  const room = new CopyMemory().room();
  const bytes = Buffer.alloc(100_000, 'x');
  const first = room.copy(bytes);
  assert.ok(first.length < bytes.length);
  assert.equal(room.isFull, true);
  assert.equal(room.copy(bytes).length, 0);
});
