import assert from 'node:assert/strict';
import { Buffer } from 'node:buffer';
import { describe, test } from 'node:test';
import { crc32, gunzipSync } from 'node:zlib';
import { listBodyChunks, type ListBody } from '#shared/endpoints/forms/list-body.ts';
import { AgeClock } from '#shared/serializer/table/age-clock.ts';
import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { crc32Combine, crc32Shift } from './crc32-combine.ts';
import { GzipStream } from './gzip-stream.ts';

const entry = (name: string, revision: number): CacheEntry => ({
  key: `/pods/a/${name}`,
  namespace: 'a',
  name,
  revision,
  json: Buffer.from(`{"name":"${name}","text":"${'x'.repeat(revision % 50)}"}`),
  labels: undefined,
  fields: undefined,
});

let made = 0;

function bodyOf(entries: readonly CacheEntry[], more: Partial<ListBody> = {}): ListBody {
  const item = ({ json }: CacheEntry): Buffer[] => {
    made++;
    return [json];
  };
  return {
    formId: 'test',
    clock: undefined,
    head: [Buffer.from('[')],
    between: Buffer.from(','),
    entries,
    item,
    tail: [Buffer.from(']')],
    ...more,
  };
}

function gzipped(body: ListBody): string {
  const stream = new GzipStream(body);
  const parts: Buffer[] = [];
  for (let complete = false; !complete; parts.push(stream.take())) complete = stream.work(0.01);
  return gunzipSync(Buffer.concat(parts)).toString();
}

const plain = (body: ListBody): string => Buffer.concat(listBodyChunks(body)).toString();

describe('crc32Combine', () => {
  test('returns the checksum of the whole from those of its parts', () => {
    for (const [a, b] of [
      ['', ''],
      ['a', ''],
      ['', 'b'],
      ['hello ', 'world'],
      ['x'.repeat(70_000), 'y'.repeat(123_457)],
    ] as const) {
      assert.equal(crc32Combine(crc32(a), crc32(b), crc32Shift(b.length)), crc32(a + b));
    }
  });
});

describe('GzipStream', () => {
  test('compresses a list of any length to gzip that unpacks to the plain list', () => {
    for (const count of [0, 1, 7, 8, 9, 128, 129, 1000]) {
      const body = bodyOf(Array.from({ length: count }, (_, at) => entry(`n${count}-${at}`, at * 7 + 1)));
      assert.equal(gzipped(body), plain(body));
      assert.equal(gzipped(body), plain(body));
    }
  });

  test('splits a head that is longer than a stored block', () => {
    const body = bodyOf([entry('a', 1)], { head: [Buffer.alloc(200_000, 'h')] });
    assert.equal(gzipped(body), plain(body));
  });

  test('reuses all compressed runs but the one with the changed entry', () => {
    const entries = Array.from({ length: 640 }, (_, at) => entry(`m${at}`, at + 1));
    gzipped(bodyOf(entries));
    made = 0;
    gzipped(bodyOf(entries));
    assert.equal(made, 0);
    const changed = entries.with(300, entry('m300', 5001));
    const body = bodyOf(changed.slice(100));
    assert.equal(gzipped(body), plain(body));
    made = 0;
    gzipped(bodyOf(changed));
    assert.ok(made <= 256, `${made} items were made again`);
  });

  test('makes other runs for another form of the same entries', () => {
    const entries = Array.from({ length: 40 }, (_, at) => entry(`s${at}`, at + 1));
    gzipped(bodyOf(entries));
    made = 0;
    const body = bodyOf(entries, { formId: 'other' });
    assert.equal(gzipped(body), plain(body));
    assert.ok(made > 0);
  });

  /** Items that tell how long ago they were made. */
  function agesAt(entries: readonly CacheEntry[], nowMs: number): ListBody {
    const clock = new AgeClock(nowMs);
    const item = ({ revision }: CacheEntry): Buffer[] => {
      made++;
      return [Buffer.from(clock.age(revision * 1000))];
    };
    return bodyOf(entries, { formId: 'ages', clock, item });
  }

  test('reuses runs with ages until one of the ages changes', () => {
    const entries = Array.from({ length: 40 }, (_, at) => entry(`t${at}`, at + 1));
    const hour = 3_600_000;
    const remade = (nowMs: number): number => {
      const expected = plain(agesAt(entries, nowMs));
      const before = made;
      assert.equal(gzipped(agesAt(entries, nowMs)), expected);
      return made - before;
    };
    assert.equal(remade(hour + 40_000), 40);
    assert.equal(remade(hour + 60_000), 0);
    // The first becomes an hour and a minute old; a clock that went back knows nothing of what came later.
    assert.ok(remade(hour + 61_000) > 0);
    assert.ok(remade(hour + 40_000) > 0);
  });
});
