import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { writtenBytes } from '#shared/apimachinery/text/go-format.ts';
import { TypedValueError } from './typed-value.ts';

const errorsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: `.spec.a[${index}]`,
    message: 'duplicate entries for key [name=""]',
  }));

describe('TypedValueError', () => {
  test('lists several violations one a line under a head, and a single one without it', () => {
    assert.equal(new TypedValueError(errorsOf(1)).message, '.spec.a[0]: duplicate entries for key [name=""]');
    assert.equal(
      new TypedValueError([...errorsOf(1), { path: '', message: 'expected map' }]).message,
      'errors:\n  .spec.a[0]: duplicate entries for key [name=""]\n  expected map',
    );
  });

  test('lists violations up to a MiB and counts the rest', () => {
    const { message } = new TypedValueError(errorsOf(1_000_000));
    const lines = message.split('\n');
    const bytes = writtenBytes(message);
    assert.ok(bytes > 1_000_000 && bytes < 1024 * 1024 + 128, `${bytes} bytes`);
    assert.equal(lines.at(-1), `  ${1_000_000 - (lines.length - 2)} more errors are not shown`);
  });
});
