import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AuditEvent } from '#shared/audit/contract/audit-event.ts';
import { dropCounts, someEvent } from './testing/sink-rig.ts';
import { TruncatingSink } from './truncating-sink.ts';
import { eventLine } from './writing/event-line.ts';

function taken(event: AuditEvent, maxEventBytes: number): { events: AuditEvent[]; drops: Record<string, number> } {
  const events: AuditEvent[] = [];
  const { counts, report } = dropCounts();
  const inner = {
    name: 'log',
    process: (given: readonly AuditEvent[]) => events.push(...given) > 0,
    close: () => Promise.resolve(),
  };
  assert.equal(new TruncatingSink(inner, { maxEventBytes, reportDrop: report }).process([event]), true);
  return { events, drops: counts };
}

const large = someEvent('a', {
  level: 'RequestResponse',
  requestObject: Buffer.from(`"${'x'.repeat(1000)}"`),
  annotations: new Map([['a', 'b']]),
});

describe('TruncatingSink', () => {
  test('passes on an event of exactly the largest size, with its line feed', () => {
    const bytes = eventLine(large).length + 1;
    assert.deepEqual(taken(large, bytes).events, [large]);
    assert.notDeepEqual(taken(large, bytes - 1).events, [large]);
  });

  test('leaves out the objects of larger ones, and says so', () => {
    const { requestObject: _, ...rest } = large;
    const annotations = new Map([
      ['a', 'b'],
      ['audit.k8s.io/truncated', 'true'],
    ]);
    assert.deepEqual(taken(large, 800), { events: [{ ...rest, annotations }], drops: {} });
  });

  test('drops events that are too large without objects, or have none', () => {
    const drops = { 'truncate too_large': 1 };
    assert.deepEqual(taken(large, 100), { events: [], drops });
    assert.deepEqual(taken(someEvent('b'), 100), { events: [], drops });
  });
});
