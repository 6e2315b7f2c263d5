import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '#shared/request/exchange.ts';
import { WarningRecorder } from './warning-recorder.ts';

function recorder(responded = false): { readonly warnings: WarningRecorder; readonly headers: string[] } {
  const headers: string[] = [];
  const exchange = {
    responded,
    appendHeader: (_name: string, value: string) => headers.push(value),
    setHeader: (_name: string, values: string[]) => headers.splice(0, headers.length, ...values),
  };
  return { warnings: new WarningRecorder(exchange as unknown as Exchange), headers };
}

describe('WarningRecorder', () => {
  // The texts and limits are those of the reference (apiserver/pkg/endpoints/filters/warning_test.go).
  test('writes each warning once, quoted and encoded as UTF-8', () => {
    const { warnings, headers } = recorder();
    for (const text of ['a', 'a', '', 'say "x" \\', 'ü']) warnings.add(text);
    assert.deepEqual(headers, ['299 - "a"', String.raw`299 - "say \"x\" \\"`, '299 - "\u00c3\u00bc"']);
  });

  test('ignores a warning with control characters', () => {
    const { warnings, headers } = recorder();
    warnings.add('a\nb');
    assert.deepEqual(headers, []);
  });

  test('cuts a text of megabytes at its 256th character, however many bytes that has', () => {
    const { warnings, headers } = recorder();
    warnings.add('\u{1f600}'.repeat(1_000_000));
    assert.deepEqual(headers, [`299 - "${Buffer.from('\u{1f600}'.repeat(256)).toString('latin1')}"`]);
  });

  test('truncates warnings to 256 characters beyond 4096 in total, and ignores more once those fill the limit', () => {
    const { warnings, headers } = recorder();
    const long = (character: string): string => character.repeat(3_000);
    warnings.add(long('a'));
    assert.equal(headers[0], `299 - "${long('a')}"`);
    warnings.add(long('b'));
    assert.deepEqual(headers, [`299 - "${'a'.repeat(256)}"`, `299 - "${'b'.repeat(256)}"`]);
    for (let i = 0; i < 40; i++) warnings.add(`${String(i).padStart(2, '0')}${'c'.repeat(254)}`);
    assert.equal(headers.length, 16);
  });

  test('ignores warnings once the response has begun', () => {
    const { warnings, headers } = recorder(true);
    warnings.add('a');
    assert.deepEqual(headers, []);
  });
});
