import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { atOnce, inSlices } from '#shared/apimachinery/slices/slices.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import { withinErrorBudgetInSteps } from './error-budget-in-steps.ts';
import { withinErrorBudget } from './error-budget.ts';
import { invalid, path } from './field-error.ts';
import { newInvalid } from './status.ts';

const errorsOf = (count: number, detail = 'is wrong') =>
  Array.from({ length: count }, (_, index) => invalid(path('a').index(index), 'x', detail));

describe('withinErrorBudget', () => {
  test('returns all errors of a validation that finds few', () => {
    assert.equal(withinErrorBudget(() => errorsOf(100)).length, 100);
  });

  test('stops a validation after its first 10,000 errors, at once and in steps', () => {
    const errors = withinErrorBudget(() => errorsOf(1_000_000));
    assert.equal(errors.length, 10_000);
    assert.equal(errors[9]?.field, 'a[9]');
    const steps = withinErrorBudgetInSteps(
      (function* () {
        yield;
        return errorsOf(1_000_000);
      })(),
    );
    assert.equal(atOnce(steps).length, 10_000);
  });

  test('counts the length of error texts, but only of validations within the budget', () => {
    assert.equal(withinErrorBudget(() => errorsOf(100, 'x'.repeat(1024 * 1024))).length, 4);
    assert.equal(errorsOf(20_000).length, 20_000);
  });

  test('rethrows an exception that is not its own', () => {
    assert.throws(
      () =>
        withinErrorBudget(() => {
          throw new TypeError('a bug');
        }),
      TypeError,
    );
  });
});

describe('Invalid status of many errors', () => {
  test('lists errors up to a megabyte and counts the rest', () => {
    const { status } = newInvalid({ group: '', kind: 'Pod' }, 'a', errorsOf(10_000, 'y'.repeat(1000)));
    const causeCount = status.details?.causes?.length ?? 0;
    assert.ok(causeCount > 450 && causeCount < 550, `${causeCount} causes`);
    const { length } = JSON.stringify(status);
    assert.ok(length > 1_000_000 && length < 1.1 * 1024 * 1024, `${length} characters`);
    assert.ok(status.message?.endsWith(`, ${10_000 - causeCount} more errors are not shown]`));
  });

  test('counts escapes and multi-byte characters by the bytes written', () => {
    for (const detail of ['"'.repeat(500), '<'.repeat(500), '\u20ac'.repeat(500)]) {
      const { status } = newInvalid({ group: '', kind: 'Pod' }, 'a', errorsOf(10_000, detail));
      const bytes = Buffer.byteLength(goJson(status));
      assert.ok(bytes > 950_000 && bytes < 1024 * 1024 + 256, `${bytes} bytes`);
    }
  });

  test('truncates the text of a single error that exceeds the limit by itself', () => {
    for (const detail of ['y'.repeat(2_000_000), '<'.repeat(2_000_000), '\u{1f600}'.repeat(500_000)]) {
      const { status } = newInvalid({ group: '', kind: 'Pod' }, 'a', errorsOf(10, detail));
      const { length } = goJson(status);
      assert.ok(length > 200_000 && length < 1.1 * 1024 * 1024, `${length} characters`);
      assert.match(
        status.details?.causes?.[0]?.message ?? '',
        /^Invalid value: .*… \(\d+ more characters are not shown\)$/,
      );
    }
  });
});

describe('withinErrorBudgetInSteps', () => {
  test('awaits a promise that the steps yield', async () => {
    let loaded = false;
    const errors = await inSlices(
      withinErrorBudgetInSteps(
        (function* () {
          yield Promise.resolve().then(() => (loaded = true));
          return loaded ? [] : errorsOf(1);
        })(),
      ),
    );
    assert.deepEqual(errors, []);
  });
});
