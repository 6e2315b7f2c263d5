import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { listAt, objectAt } from '#shared/apimachinery/object.ts';

/** Inputs beside the answers of the published Go modules (test/recorders/apimachinery). */
function readData(name: string): JsonObject {
  return JSON.parse(readFileSync(new URL(`../testdata/${name}.json`, import.meta.url), 'utf8')) as JsonObject;
}

export const recordedInputs = readData('inputs');
export const recordedAnswers = readData('expected');

/** What a call gives, in the form of the record. */
export function outcome(call: () => JsonValue): JsonObject {
  try {
    return { value: call() };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

/** A test for each input of a section. Go leaves out an empty value. */
export function testRecordedSection(section: string, call: (input: JsonValue) => JsonValue): void {
  const answers = listAt(recordedAnswers, section);
  listAt(recordedInputs, section).forEach((input, i) => {
    const wanted = objectAt(answers[i]) ?? {};
    const refuses = Object.hasOwn(wanted, 'error');
    test(`${refuses ? 'rejects' : 'reads'} ${JSON.stringify(input)} as the reference does`, () => {
      const result = outcome(() => call(input));
      if (refuses) assert.deepEqual(result, wanted);
      else assert.deepEqual(result, { value: wanted['value'] ?? (typeof result['value'] === 'string' ? '' : null) });
    });
  });
}
