import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ReadMemory, type ReleaseMemory } from './read-memory.ts';

/** Reads until the memory goes on to another slab; returns what was held of the first one and where it lies. */
function fill(memory: ReadMemory): ArrayBufferLike {
  const { buffer } = memory.room();
  while (memory.room().buffer === buffer) memory.filled(memory.room().length);
  return buffer;
}

describe('ReadMemory', () => {
  test('fills a slab again once every holder has released it', () => {
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

  test('fills a slab again at once when nobody holds it', () => {
    const memory = new ReadMemory();
    const { buffer } = memory.room();
    for (let reads = 0; reads < 100; reads++) {
      assert.equal(memory.room().buffer, buffer);
      memory.filled(100_000);
    }
  });

  for (const [name, spoil] of [
    ['whose bytes somebody keeps', (memory: ReadMemory) => memory.keep()],
    ['that a failed write may still read', (memory: ReadMemory) => memory.last?.hold()(new Error('write failed'))],
  ] as const) {
    test(`never fills a slab again ${name}`, () => {
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

  test('keeps 16 of 40 released slabs for the next reads', () => {
    const memory = new ReadMemory();
    const fillHeld = (): { readonly slab: ArrayBufferLike; readonly release: ReleaseMemory | undefined } => {
      memory.room();
      const release = memory.last?.hold();
      return { slab: fill(memory), release };
    };
    const released = Array.from({ length: 40 }, fillHeld);
    for (const { release } of released) release?.();
    // The slab that comes after the 40 was made before they were released.
    fillHeld();
    const next = new Set(Array.from({ length: 40 }, () => fillHeld().slab));
    assert.equal(next.size, 40);
    assert.equal(released.filter(({ slab }) => next.has(slab)).length, 16);
  });

  test('is crowded while many slabs are held, and no longer once they are released', () => {
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
});
