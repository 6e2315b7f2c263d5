import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readQuery } from '#shared/request/query-parameters.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import { estimateWork } from './estimate-work.ts';

interface Case extends Pick<RequestInfo, 'verb' | 'resource' | 'subresource' | 'name'> {
  readonly query: string;
  readonly known: boolean;
  readonly count: number;
  readonly averageBytes: number;
  readonly watches: number;
  readonly maxSeats: number;
  readonly estimate: readonly number[];
}

const cases = JSON.parse(
  readFileSync(new URL('./testdata/estimates.json', import.meta.url), 'utf8'),
) as readonly Case[];

test('estimateWork gives random requests the seats that upstream gives them', () => {
  for (const one of cases) {
    const { query, known, count, averageBytes, watches, maxSeats, estimate, ...request } = one;
    const info = { ...request, apiGroup: '', namespace: '', query: readQuery(query) } as unknown as RequestInfo;
    const { initialSeats, finalSeats, additionalLatencyNs } = estimateWork(info, maxSeats, {
      objects: { of: () => (known ? { count, averageBytes } : undefined) },
      watches: { interestedIn: () => watches },
      watchesSendObjects: true,
      bySize: true,
    });
    assert.deepEqual([initialSeats, finalSeats, additionalLatencyNs], estimate, JSON.stringify(one));
  }
});
