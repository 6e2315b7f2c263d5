import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { after, describe, test } from 'node:test';
import { runInSpan, traceBy } from '#shared/spans/active-span.ts';
import { KeptSpan, untracedSource } from '#shared/spans/testing/kept-span.ts';
import { EgressError } from './dial/egress-dial.ts';
import { EgressMetrics } from './egress-metrics.ts';

const labels = { protocol: 'http_connect', transport: 'uds' } as const;
const made = new EgressMetrics().counted(async () => new PassThrough(), labels);
const refused = new EgressMetrics().counted(async () => {
  throw new EgressError('proxy', 'refused');
}, labels);

describe('a connection through a proxy', () => {
  after(() => traceBy(undefined));

  // The name and the attribute: createDialer in apiserver/pkg/server/egressselector/egress_selector.go.
  test('is a span of the request that it is made for, which ends with it', async () => {
    traceBy(untracedSource);
    const request = new KeptSpan('request');
    await runInSpan(request, () => made('node.example:10250'));
    await assert.rejects(runInSpan(request, () => refused('[fd00::1]:10250')));
    assert.deepEqual(
      request.below.map(({ name, attributes, ends }) => ({ name, attributes, ends })),
      ['node.example:10250', '[fd00::1]:10250'].map((address) => ({
        name: 'Proxy via http_connect protocol over uds',
        attributes: { address },
        ends: 1,
      })),
    );
    assert.equal(request.ends, 0);
  });
});
