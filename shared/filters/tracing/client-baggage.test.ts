import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { clientBaggage } from './client-baggage.ts';

const baggageOf = (baggage?: string): string | undefined =>
  clientBaggage({ headers: { baggage } } as unknown as Exchange);

describe('clientBaggage', () => {
  test('passes baggage on', () => {
    assert.equal(baggageOf('user=a;p=1, b=2'), 'user=a;p=1, b=2');
    assert.equal(baggageOf(), undefined);
  });

  test('leaves out baggage that a called server may refuse', () => {
    for (const text of ['', 'a'.repeat(8193), 'a=\u00e4', 'a=\u0001']) assert.equal(baggageOf(text), undefined);
  });
});
