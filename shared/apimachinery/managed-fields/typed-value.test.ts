import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writtenBytes } from '#shared/apimachinery/text/go-format.ts';
import { TypedValueError } from './typed-value.ts';

const errorsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    path: `.spec.a[${index}]`,
    message: 'duplicate entries for key [name=""]',
  }));

test('violations are told one a line, a single one without a head', () => {
  assert.equal(new TypedValueError(errorsOf(1)).message, '.spec.a[0]: duplicate entries for key [name=""]');
  assert.equal(
    new TypedValueError([...errorsOf(1), { path: '', message: 'expected map' }]).message,
    'errors:\n  .spec.a[0]: duplicate entries for key [name=""]\n  expected map',
  );
});

test('what does not fit into a MiB of an answer is counted', () => {
  const { message } = new TypedValueError(errorsOf(1_000_000));
  const lines = message.split('\n');
  const bytes = writtenBytes(message);
  assert.ok(bytes > 1_000_000 && bytes < 1024 * 1024 + 128, `${bytes} bytes`);
  assert.equal(lines.at(-1), `  ${1_000_000 - (lines.length - 2)} more errors are not shown`);
});
