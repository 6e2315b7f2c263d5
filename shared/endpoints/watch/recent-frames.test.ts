import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import type { CacheEvent } from '#shared/watchcache/watch-cache.ts';
import { RecentFrames } from './recent-frames.ts';

function event(bytes: number): CacheEvent {
  const entry = { key: '/a', namespace: '', name: 'a', revision: 1, json: Buffer.alloc(bytes) };
  return { type: 'ADDED', entry: { ...entry, labels: undefined, fields: undefined }, previous: undefined, revision: 1 };
}

class Rig {
  nowMs = 1_000;
  made = 0;
  readonly frames: RecentFrames;

  constructor(maxBytes = 100_000) {
    this.frames = new RecentFrames(maxBytes, () => this.nowMs);
  }

  ask(of: CacheEvent, form = 'json'): Buffer {
    return this.frames.frameOf(of, form, () => Buffer.from(`${form} ${++this.made}`));
  }
}

describe('RecentFrames', () => {
  test('makes a frame once for each event and form', () => {
    const rig = new Rig();
    const [one, other] = [event(10), event(10)];
    const asked = [rig.ask(one), rig.ask(one, 'protobuf'), rig.ask(other), rig.ask(one), rig.ask(one, 'protobuf')];
    assert.deepEqual(asked.map(String), ['json 1', 'protobuf 2', 'json 3', 'json 1', 'protobuf 2']);
  });

  test('keeps a frame while it is asked for, and drops it two moments later', () => {
    const rig = new Rig();
    const [one, other] = [event(10), event(10)];
    for (; rig.nowMs < 3_000; rig.nowMs += 250) assert.equal(String(rig.ask(one)), 'json 1');
    rig.ask(other);
    rig.nowMs += 250;
    rig.ask(other);
    assert.equal(String(rig.ask(one)), 'json 3');
  });

  test('drops all frames when none was asked for over two moments', () => {
    const rig = new Rig();
    const one = event(10);
    rig.ask(one);
    rig.nowMs += 500;
    rig.ask(event(10));
    assert.equal(String(rig.ask(one)), 'json 3');
  });

  test('holds no more bytes than it may, those of the states of events included', () => {
    const rig = new Rig(10_000);
    for (let at = 0; at < 100; at++) {
      rig.ask(event(1_000));
      assert.ok(rig.frames.bytes <= 10_000, `${rig.frames.bytes} bytes`);
    }
  });

  test('holds one event that is larger than its room, and no second one', () => {
    const rig = new Rig(10_000);
    for (let at = 0; at < 10; at++) {
      rig.ask(event(20_000));
      assert.ok(rig.frames.bytes < 25_000, `${rig.frames.bytes} bytes`);
    }
  });

  test('keeps a frame in memory of its own', () => {
    const frame = new Rig().ask(event(10));
    assert.equal(frame.buffer.byteLength, frame.length);
  });
});
