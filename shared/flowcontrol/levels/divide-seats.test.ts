import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { divideSeats, type Claim } from './divide-seats.ts';

const claim = fc
  .record({ lower: fc.nat(50), more: fc.nat(100), wanted: fc.nat(200) })
  .map(({ lower, more, wanted }): Claim => ({ lower, upper: lower + more, target: lower + wanted }));

describe('divideSeats', () => {
  test('gives each level the fair share of its target, or the bound that is nearest, and divides the whole sum', () => {
    fc.assert(
      fc.property(
        fc.array(claim, { minLength: 1, maxLength: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (claims, part) => {
          const lowest = claims.reduce((sum, { lower }) => sum + lower, 0);
          const highest = claims.reduce((sum, { upper }) => sum + upper, 0);
          const sum = Math.round(lowest + part * (highest - lowest));
          const division = divideSeats(sum, claims);
          assert.ok(division);
          const total = division.seats.reduce((all, seats) => all + seats, 0);
          assert.ok(Math.abs(total - sum) < 1e-4, `${total} is not ${sum}`);
          for (const [i, { lower, upper, target }] of claims.entries()) {
            const wanted = Math.max(lower, Math.min(upper, division.fairShare * Math.max(target, 0.001)));
            assert.ok(sum === 0 || Math.abs((division.seats[i] as number) - wanted) < 1e-4);
          }
        },
      ),
    );
  });

  test('says nothing where the bounds leave no division', () => {
    assert.equal(
      divideSeats(10, [
        { lower: 6, upper: 9, target: 6 },
        { lower: 6, upper: 9, target: 6 },
      ]),
      undefined,
    );
    assert.equal(divideSeats(20, [{ lower: 1, upper: 9, target: 6 }]), undefined);
    assert.equal(divideSeats(5, [{ lower: 6, upper: 9, target: 5 }]), undefined);
  });
});
