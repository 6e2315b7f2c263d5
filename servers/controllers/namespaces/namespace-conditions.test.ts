import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { conditionsAfter, type EmptyingReport } from './namespace-conditions.ts';
import { RemainingCounts } from './remaining-content.ts';

const inOrder: EmptyingReport = {
  discoveryFailures: new Map(),
  contentErrors: [],
  remaining: new RemainingCounts(),
};
const [then, now] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];

describe('conditions of a namespace', () => {
  test('are told once while nothing changes', () => {
    const conditions = conditionsAfter(inOrder, [], then);
    assert.deepEqual(
      conditions?.map(({ type, status, reason }) => `${type} ${status} ${reason}`),
      [
        'NamespaceDeletionDiscoveryFailure False ResourcesDiscovered',
        'NamespaceDeletionGroupVersionParsingFailure False ParsedGroupVersions',
        'NamespaceDeletionContentFailure False ContentDeleted',
        'NamespaceContentRemaining False ContentRemoved',
        'NamespaceFinalizersRemaining False ContentHasNoFinalizers',
      ],
    );
    assert.equal(conditionsAfter(inOrder, conditions ?? [], now), undefined);
  });

  test('change their time with their status alone', () => {
    const remaining = (count: number): EmptyingReport => {
      const counts = new RemainingCounts();
      counts.add(
        'pods.',
        Array.from({ length: count }, () => ['example.com/b', 'example.com/a']),
      );
      return { ...inOrder, remaining: counts };
    };
    const first = conditionsAfter(remaining(2), conditionsAfter(inOrder, [], then) ?? [], now) ?? [];
    const second = conditionsAfter(remaining(1), first, '2026-01-01T00:00:02Z') ?? [];
    assert.deepEqual(
      second.filter(({ status }) => status === 'True').map(({ message }) => message),
      [
        'Some resources are remaining: pods. has 1 resource instances',
        'Some content in the namespace has finalizers remaining: example.com/a in 1 resource instances, example.com/b in 1 resource instances',
      ],
    );
    assert.deepEqual(
      second.map(({ lastTransitionTime }) => lastTransitionTime),
      [then, then, then, now, now],
    );
  });

  test('keep those of others, and name the groups that are not known', () => {
    const other = { type: 'Other', status: 'True', lastTransitionTime: then, reason: 'R', message: 'M' } as const;
    const report = {
      ...inOrder,
      discoveryFailures: new Map([['a.example/v1', 'stale GroupVersion discovery: a.example/v1']]),
    };
    const conditions = conditionsAfter(report, [other], now) ?? [];
    assert.deepEqual(conditions[0], other);
    assert.equal(
      conditions[1]?.message,
      'Discovery failed for some groups, 1 failing: unable to retrieve the complete list of server APIs: a.example/v1: stale GroupVersion discovery: a.example/v1',
    );
  });
});
