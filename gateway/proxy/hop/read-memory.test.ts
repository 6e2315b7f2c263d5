import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadMemory } from './read-memory.ts';

/** Reads until the memory goes on to another slab; returns what was held of the first one and where it lies. */
function fill(memory: ReadMemory): ArrayBufferLike {
  const { buffer } = memory.room();
  while (memory.room().buffer === buffer) memory.filled(memory.room().length);
  return buffer;
}

test('memory is filled again when all who hold it are through', () => {
  const memory = new ReadMemory();
  const { buffer } = memory.room();
  const releases = [memory.last?.hold(), memory.last?.hold()];
  assert.equal(fill(memory), buffer);
  const second = memory.room().buffer;
  assert.notEqual(second, buffer);
  releases[0]?.();
  memory.last?.hold();
  assert.notEqual((fill(memory), memory.room().buffer), buffer);
  releases[1]?.();
  memory.last?.hold();
  assert.equal((fill(memory), memory.room().buffer), buffer);
});

test('memory that nobody holds is filled again at once', () => {
  const memory = new ReadMemory();
  const { buffer } = memory.room();
  for (let reads = 0; reads < 100; reads++) {
    assert.equal(memory.room().buffer, buffer);
    memory.filled(100_000);
  }
});

for (const [name, spoil] of [
  ['kept by somebody', (memory: ReadMemory) => memory.keep()],
  ['of a write that failed', (memory: ReadMemory) => memory.last?.hold()(new Error('the client is gone'))],
] as const) {
  test(`memory ${name} is never filled again`, () => {
    const memory = new ReadMemory();
    const { buffer } = memory.room();
    spoil(memory);
    memory.last?.hold()();
    fill(memory);
    for (let slabs = 0; slabs < 10; slabs++) {
      const release = memory.last?.hold();
      assert.notEqual(fill(memory), buffer);
      release?.();
    }
    assert.notEqual(memory.room().buffer, buffer);
  });
}

test('few slabs wait to be filled again', () => {
  const memory = new ReadMemory();
  const releases = Array.from({ length: 40 }, () => {
    memory.room();
    const release = memory.last?.hold();
    fill(memory);
    return release;
  });
  for (const release of releases) release?.();
  const seen = new Set<ArrayBufferLike>();
  for (let slabs = 0; slabs < 40; slabs++) {
    seen.add(memory.room().buffer);
    memory.last?.hold();
    fill(memory);
  }
  assert.equal(seen.size, 40);
});

test('memory is crowded while many slabs are needed, whoever will say so', () => {
  const memory = new ReadMemory();
  const releases = Array.from({ length: 70 }, (_, at) => {
    memory.room();
    const release = memory.last?.hold();
    if (at % 2 === 0) memory.keep();
    fill(memory);
    return release;
  });
  assert.ok(memory.isCrowded);
  for (const release of releases) release?.();
  // 35 are for the garbage collector to find out, but are below the bound.
  assert.equal(memory.isCrowded, false);
});
