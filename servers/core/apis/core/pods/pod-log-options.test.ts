import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import { kubeletLogQuery, parsePodLogOptions, validatePodLogOptions } from './pod-log-options.ts';

function errorTextsOf(query: string, choosesStream: boolean): string[] {
  return validatePodLogOptions(parsePodLogOptions(new URLSearchParams(query)), choosesStream).map(fieldErrorText);
}

describe('pod log options', () => {
  test('accept a stream only when the gate is on', () => {
    assert.deepEqual(errorTextsOf('stream=Stdout', false), ['stream: Forbidden: may not be specified']);
    assert.deepEqual(errorTextsOf('stream=Stdout', true), []);
    assert.deepEqual(errorTextsOf('stream=Stderr&tailLines=1', true), [
      '[]: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now',
    ]);
    assert.deepEqual(errorTextsOf('tailLines=1', true), []);
    assert.equal(
      kubeletLogQuery(parsePodLogOptions(new URLSearchParams('stream=Stdout&follow')), true),
      'follow=true&stream=Stdout',
    );
    assert.equal(kubeletLogQuery(parsePodLogOptions(new URLSearchParams('follow')), true), 'follow=true&stream=All');
    assert.equal(kubeletLogQuery(parsePodLogOptions(new URLSearchParams('follow')), false), 'follow=true');
  });

  test('parse numbers of 500,000 digits and refuse values out of range', () => {
    assert.equal(parsePodLogOptions(new URLSearchParams(`tailLines=${'0'.repeat(500_000)}7`)).tailLines, 7n);
    assert.throws(
      () => parsePodLogOptions(new URLSearchParams(`tailLines=${'9'.repeat(500_000)}`)),
      ({ code, message }: StatusError) => code === 400 && message.endsWith('value out of range'),
    );
  });

  test('take numbers of 64 bits, with zeros in front and with signs', () => {
    const tailLines = (text: string): unknown => parsePodLogOptions(new URLSearchParams({ tailLines: text })).tailLines;
    const [least, most] = [-(2n ** 63n), 2n ** 63n - 1n];
    for (const [text, value] of [
      [String(most), most],
      [`+0${most}`, most],
      [String(least), least],
      [`-00${String(least).slice(1)}`, least],
      ['-0', 0n],
    ] as const)
      assert.equal(tailLines(text), value, text);
    for (const text of [String(most + 1n), String(least - 1n), `+${most + 1n}`])
      assert.throws(() => tailLines(text), { message: `strconv.ParseInt: parsing "${text}": value out of range` });
    for (const text of ['', '+', '1.0', '1e1', '0x1', ' 1', '1_0'])
      assert.throws(() => tailLines(text), { message: `strconv.ParseInt: parsing "${text}": invalid syntax` });
  });
});
