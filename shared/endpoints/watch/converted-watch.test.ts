import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CacheEntry, CacheEvent, CacheWatchOptions, WatchCache } from '#shared/watchcache/watch-cache.ts';
import { ConvertedWatch, type ConvertedWatchOptions } from './converted-watch.ts';

function entry(name: string, revision: number, labels: Record<string, string> = {}): CacheEntry {
  const json = Buffer.from(JSON.stringify({ metadata: { name, resourceVersion: String(revision), labels } }));
  return { key: `/things/${name}`, namespace: '', name, revision, json, labels, fields: undefined };
}

/** A cache with one watch, whose events a test makes. */
class OneWatch {
  options: CacheWatchOptions | undefined;
  calls: string[] = [];
  readonly cache = {
    watch: (options: CacheWatchOptions) => {
      this.options = options;
      return {
        revision: 99,
        pause: () => this.calls.push('pause'),
        resume: () => this.calls.push('resume'),
        stop: () => this.calls.push('stop'),
      };
    },
  } as unknown as WatchCache;
}

interface Rig {
  readonly source: OneWatch;
  readonly lines: string[];
  readonly batches: (readonly CacheEvent[])[];
  readonly watch: ConvertedWatch;
  readonly asked: string[][];
  /** Ends the oldest conversion; with a name, by an error unless that object is left out. */
  readonly answer: (error?: string) => Promise<void>;
}

type Patience = NonNullable<ConvertedWatchOptions['patience']>;

/** A watch whose webhook gives objects the label `converted`, and moves the value of `app` into it. */
function open(matches?: (entry: CacheEntry) => boolean, patience?: Patience, initialEvents = false): Rig {
  const source = new OneWatch();
  const [lines, batches, asked]: [string[], (readonly CacheEvent[])[], string[][]] = [[], [], []];
  const open: { entries: readonly CacheEntry[]; settle: (error?: string) => void }[] = [];
  const watch = new ConvertedWatch(
    source.cache,
    {
      prefix: '/things/',
      afterRevision: 5,
      initialEvents,
      selection: 'text',
      ...(matches === undefined ? {} : { matches }),
      onEvents(events) {
        batches.push(events);
        for (const { type, entry: sent, revision } of events)
          lines.push(`${type} ${sent.name} ${sent.labels?.['converted'] ?? 'unconverted'} @${revision}`);
      },
      onProgress: (revision, initialDone) => lines.push(`progress ${revision} ${initialDone}`),
      onClose: (reason) => lines.push(`closed ${reason}`),
    },
    {
      apiVersion: 'g/v2',
      ...(patience === undefined ? {} : { patience }),
      onFailure: (error) => lines.push(String(error)),
      convert: (entries) =>
        new Promise((resolve, reject) => {
          asked.push(entries.map(({ name, revision }) => `${name}@${revision}`));
          const settle = (error?: string): void =>
            error !== undefined && entries.some(({ name }) => name === error)
              ? reject(new Error(`cannot convert ${error}`))
              : resolve(entries.map((one) => ({ ...one, labels: { converted: one.labels?.['app'] ?? 'yes' } })));
          open.push({ entries, settle });
        }),
    },
  );
  const answer = async (error?: string): Promise<void> => {
    open.shift()?.settle(error);
    for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate);
  };
  return { source, lines, batches, watch, asked, answer };
}

/** Lets timers and promises run until the condition holds. */
async function turnsUntil(holds: () => boolean): Promise<void> {
  for (let turn = 0; turn < 1000 && !holds(); turn++) await new Promise((resolve) => setTimeout(resolve, 1));
}

const added = (one: CacheEntry): CacheEvent => ({
  type: 'ADDED',
  entry: one,
  previous: undefined,
  revision: one.revision,
});
const modified = (one: CacheEntry, previous: CacheEntry): CacheEvent => ({
  type: 'MODIFIED',
  entry: one,
  previous,
  revision: one.revision,
});

describe('ConvertedWatch', () => {
  test('delivers converted events and progress in order, and converts what waits by one call', async () => {
    const { source, lines, asked, watch, answer } = open();
    source.options?.onEvents([added(entry('a', 6))]);
    source.options?.onEvents([added(entry('b', 7))]);
    source.options?.onProgress(8, false);
    source.options?.onEvents([added(entry('c', 9))]);
    assert.equal(watch.revision, 5);
    await answer();
    assert.deepEqual(lines, ['ADDED a yes @6']);
    assert.equal(watch.revision, 6);
    await answer();
    assert.deepEqual(lines, ['ADDED a yes @6', 'ADDED b yes @7', 'progress 8 false', 'ADDED c yes @9']);
    assert.deepEqual(asked, [['a@6'], ['b@7', 'c@9']]);
    assert.equal(watch.revision, 99);
  });

  test('selects by the converted objects before and after a change', async () => {
    const { source, lines, answer } = open(({ labels }) => labels?.['converted'] === 'in');
    const [first, second, third, fourth] = ['out', 'in', 'in', 'out'].map((app, at) => entry('a', 6 + at, { app })) as [
      CacheEntry,
      CacheEntry,
      CacheEntry,
      CacheEntry,
    ];
    source.options?.onEvents([
      added(first),
      modified(second, first),
      modified(third, second),
      modified(fourth, third),
      { type: 'DELETED', entry: fourth, previous: fourth, revision: 10 },
    ]);
    await answer();
    assert.deepEqual(lines, ['ADDED a in @7', 'MODIFIED a in @8', 'DELETED a in @9']);
  });

  test('sends the last state of a deleted object at the revision of the deletion', async () => {
    const { source, batches, answer } = open();
    const last = entry('a', 6);
    source.options?.onEvents([{ type: 'DELETED', entry: entry('a', 7), previous: last, revision: 7 }]);
    await answer();
    assert.match(String(batches[0]?.[0]?.entry.json), /"resourceVersion":"7"/);
  });

  test('delivers what comes before an initial event that cannot be converted, then fails', async () => {
    const { source, lines, answer } = open(undefined, undefined, true);
    source.options?.onEvents([added(entry('a', 6)), added(entry('bad', 7)), added(entry('c', 8))]);
    await answer('bad');
    await answer('bad');
    await answer('bad');
    source.options?.onEvents([added(entry('d', 9))]);
    assert.deepEqual(lines, ['ADDED a yes @6', 'Error: cannot convert bad']);
    assert.ok(source.calls.includes('stop'));
  });

  test('tries an event again while the webhook fails, and delivers it with those that waited', async () => {
    const { source, lines, asked, answer } = open(undefined, { firstPauseMs: 1, totalMs: 60_000 });
    source.options?.onEvents([added(entry('bad', 7)), added(entry('c', 8))]);
    await answer('bad');
    await answer('bad');
    await turnsUntil(() => asked.length === 3);
    await answer();
    await answer();
    assert.deepEqual(lines, ['ADDED bad yes @7', 'ADDED c yes @8']);
  });

  test('ends without an error where the webhook fails for too long', async () => {
    const { source, lines, answer } = open(undefined, { firstPauseMs: 1, totalMs: 0 });
    source.options?.onEvents([added(entry('a', 6)), added(entry('bad', 7))]);
    await answer('bad');
    await answer('bad');
    await answer('bad');
    assert.deepEqual(lines, ['ADDED a yes @6', 'closed Stopped']);
    assert.ok(source.calls.includes('stop'));
  });

  test('pauses the cache while many bytes wait, and goes on afterwards', async () => {
    const { source, lines, answer } = open();
    const large = { ...entry('large', 7), json: Buffer.alloc(1024 * 1024 + 1) };
    source.options?.onEvents([added(entry('a', 6))]);
    source.options?.onEvents([added(large)]);
    assert.deepEqual(source.calls, ['pause']);
    await answer();
    await answer();
    assert.equal(source.calls.at(-1), 'resume');
    assert.equal(lines.length, 2);
  });

  test('gives the same events to all watches of one version and selection', async () => {
    const [one, other] = [open(), open()];
    const events = [added(entry('a', 6))];
    for (const { source, answer } of [one, other]) {
      source.options?.onEvents(events);
      await answer();
    }
    assert.equal(one.batches[0], other.batches[0]);
  });

  test('delivers nothing to a watcher that has paused or stopped', async () => {
    const { source, lines, watch, answer } = open();
    watch.pause();
    source.options?.onEvents([added(entry('a', 6))]);
    await answer();
    assert.deepEqual(lines, []);
    watch.resume();
    await answer();
    assert.deepEqual(lines, ['ADDED a yes @6']);
    source.options?.onEvents([added(entry('b', 7))]);
    watch.stop();
    await answer();
    assert.deepEqual(lines, ['ADDED a yes @6']);
  });
});
