import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { keepExactText } from '#shared/serializer/json/exact-raw.ts';
import { validateRawObject } from './claim-validation.ts';

const messages = (value: JsonValue): string[] =>
  validateRawObject(value, path('parameters')).map(({ type, detail }) => `${type}: ${detail}`);

describe('validateRawObject', () => {
  test('accepts 64-bit integers in driver parameters', () => {
    assert.deepEqual(messages({ a: 9_223_372_036_854_775_807n }), []);
  });

  // As kube-apiserver v1.36.3 judged these texts in a DeviceClass.
  test('measures driver parameters by the length of the text that the client sent', () => {
    const sent = (text: string): string[] => {
      const value = JSON.parse(text) as JsonValue;
      keepExactText(value, text);
      return messages(value);
    };
    const tooLong = ['FieldValueTooLong: may not be more than 10240 bytes'];
    assert.deepEqual(sent(`{"a":${' '.repeat(10_300)}1}`), tooLong);
    assert.deepEqual(sent(`{"a":"${String.raw`\u0041`.repeat(1_800)}"}`), tooLong);
    assert.deepEqual(sent(`{"a":"${'<'.repeat(3_000)}"}`), []);
    assert.deepEqual(sent(`{"a":"${'é'.repeat(5_200)}"}`), tooLong);
  });
});
