import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import { dropCounts, HeldWriter, idsOf, someEvent } from '#shared/audit/sinks/testing/sink-rig.ts';
import { eventLine } from '#shared/audit/sinks/writing/event-line.ts';
import { BufferedSink, type BufferOptions } from './buffered-sink.ts';

interface Rig {
  readonly sink: BufferedSink;
  readonly writer: HeldWriter;
  readonly drops: Record<string, number>;
  /** Hands over events with these ids. */
  readonly send: (...ids: string[]) => void;
  readonly batches: () => string[][];
}

function rig(options: Partial<BufferOptions>): Rig {
  const writer = new HeldWriter();
  const { counts, report } = dropCounts();
  const sink = new BufferedSink(writer, {
    maxEvents: 100,
    maxBytes: 1e6,
    maxBatchEvents: 2,
    maxBatchBytes: 1e6,
    maxWaitMs: 1000,
    maxWrites: 10,
    reportDrop: report,
    ...options,
  });
  return {
    sink,
    writer,
    drops: counts,
    send: (...ids) => assert.equal(sink.process(ids.map((id) => someEvent(id))), true),
    batches: () => writer.batches.map(idsOf),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Timers and the clock of `performance` go on together. */
function mockTime(context: TestContext): (ms: number) => void {
  let nowMs = Math.ceil(performance.now());
  context.mock.method(performance, 'now', () => nowMs);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  return (ms) => {
    nowMs += ms;
    context.mock.timers.tick(ms);
  };
}

describe('BufferedSink', () => {
  test('writes full batches at once, and the rest when it has waited long enough', (context) => {
    const pass = mockTime(context);
    const { send, batches } = rig({});
    send('a', 'b', 'c');
    assert.deepEqual(batches(), [['a', 'b']]);
    pass(999);
    assert.equal(batches().length, 1);
    pass(1);
    assert.deepEqual(batches(), [['a', 'b'], ['c']]);
  });

  test('counts waits from the last batch, one after the other', (context) => {
    const pass = mockTime(context);
    const { send, batches } = rig({});
    pass(1700);
    send('a');
    pass(299);
    assert.deepEqual(batches(), []);
    pass(1);
    assert.deepEqual(batches(), [['a']]);
  });

  test('drops events beyond their number, and counts them', () => {
    const { send, drops } = rig({ maxEvents: 3, maxBatchEvents: 10 });
    send('a', 'b', 'c', 'd', 'e');
    assert.deepEqual(drops, { 'buffered queue_full': 2 });
  });

  test('counts the bytes of events that wait and of those under way', async () => {
    const bytes = eventLine(someEvent('a')).length;
    const { sink, writer, send, drops } = rig({ maxBytes: 3 * bytes });
    send('a', 'b', 'c', 'd');
    assert.deepEqual(drops, { 'buffered queue_bytes': 1 });
    assert.equal(sink.bytes, 3 * bytes);
    writer.end();
    await settle();
    assert.equal(sink.bytes, bytes);
  });

  test('ends batches at their bytes', () => {
    const bytes = eventLine(someEvent('a')).length;
    const { send, batches } = rig({ maxBatchEvents: 3, maxBatchBytes: 2 * bytes });
    send('a', 'b', 'c');
    assert.deepEqual(batches(), [['a', 'b']]);
  });

  test('holds back batches that come faster than the rate', (context) => {
    const pass = mockTime(context);
    const { send, batches } = rig({ maxBatchEvents: 1, rate: { qps: 10, burst: 2 } });
    send('a', 'b', 'c', 'd');
    assert.equal(batches().length, 2);
    pass(100);
    assert.equal(batches().length, 3);
    pass(1000);
    assert.deepEqual(batches(), [['a'], ['b'], ['c'], ['d']]);
  });

  test('has so many writes under way at most', async () => {
    const { send, batches, writer } = rig({ maxBatchEvents: 1, maxWrites: 1 });
    send('a', 'b');
    assert.deepEqual(batches(), [['a']]);
    writer.end(false);
    await settle();
    assert.deepEqual(batches(), [['a'], ['b']]);
  });

  test('writes what is left at its end, and takes nothing after it', async () => {
    const { sink, send, batches, writer, drops } = rig({ rate: { qps: 1, burst: 1 }, maxWrites: 1 });
    send('a', 'b', 'c', 'd', 'e');
    const closed = sink.close();
    assert.ok(writer.isHurried);
    for (let left = 3; left > 0; left--) {
      writer.end();
      await settle();
    }
    await closed;
    assert.deepEqual(batches(), [['a', 'b'], ['c', 'd'], ['e']]);
    send('f');
    assert.deepEqual(drops, { 'buffered closed': 1 });
  });
});
