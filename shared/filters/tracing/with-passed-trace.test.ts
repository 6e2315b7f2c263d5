import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { passedTrace } from './with-passed-trace.ts';

const ids = '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';

function passed(headers: Exchange['headers']): unknown {
  return passedTrace({ headers } as Exchange);
}

describe('passedTrace', () => {
  test('a valid trace, passes on with its state and baggage', () => {
    const headers = { traceparent: `00-${ids}-01`, tracestate: 'a=1,b@c=2', baggage: 'd=e' };
    assert.deepEqual(passed(headers), headers);
  });

  test('a later version or other flags, pass on in version 00 with the flag of sampling', () => {
    assert.deepEqual(passed({ traceparent: `01-${ids}-ff-more` }), { traceparent: `00-${ids}-01` });
    assert.deepEqual(passed({ traceparent: `00-${ids}-02` }), { traceparent: `00-${ids}-00` });
  });

  for (const traceparent of [
    'garbage',
    `ff-${ids}-01`,
    `00-${ids}-03`,
    `00-${ids}-01-more`,
    `00-${ids.toUpperCase()}-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
  ])
    test(`a trace that is not valid (${traceparent}), passes nothing on`, () =>
      assert.equal(passed({ traceparent, tracestate: 'a=1' }), undefined));

  test('a state or baggage that servers may refuse, is left out', () => {
    const traceparent = `00-${ids}-01`;
    for (const tracestate of ['a'.repeat(600), 'a=\x01', 'a'])
      assert.deepEqual(passed({ traceparent, tracestate }), { traceparent });
    assert.deepEqual(passed({ traceparent, baggage: `a=${'b'.repeat(8192)}` }), { traceparent });
  });
});
