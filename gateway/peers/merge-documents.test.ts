import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { APIGroupDiscovery } from '#shared/endpoints/discovery/api-group-discovery.ts';
import { mergeDocuments } from './merge-documents.ts';
import { mergeOrder } from './merge-order.ts';

interface Recorded {
  readonly orders: readonly { readonly lists: readonly string[][]; readonly merged: readonly string[] | null }[];
  readonly merges: readonly {
    readonly id: string;
    readonly own: readonly APIGroupDiscovery[];
    readonly peers: Readonly<Record<string, readonly APIGroupDiscovery[]>>;
    readonly merged: readonly APIGroupDiscovery[];
  }[];
}

/** Recorded by test/recorders/peer-discovery. */
const recorded = JSON.parse(readFileSync(new URL('testdata/merged.json', import.meta.url), 'utf8')) as Recorded;

describe('mergeOrder', () => {
  test('gives the orders of the reference for random lists', () => {
    for (const { lists, merged } of recorded.orders) assert.deepEqual(mergeOrder(lists), merged ?? []);
  });
});

describe('mergeDocuments', () => {
  test('gives the bytes of the reference for random documents', () => {
    for (const { id, own, peers, merged } of recorded.merges)
      assert.equal(JSON.stringify(mergeDocuments(id, own, new Map(Object.entries(peers)))), JSON.stringify(merged));
  });

  test('returns the own document itself if no peer has anything else', () => {
    const [{ own }] = recorded.merges as [Recorded['merges'][number]];
    assert.equal(mergeDocuments('b', own, new Map([['a', structuredClone(own)]])), own);
  });
});
