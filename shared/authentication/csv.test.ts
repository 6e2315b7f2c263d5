import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseCsv } from './csv.ts';

interface RecordedText {
  readonly text: string;
  readonly records?: readonly (readonly string[])[];
  readonly error?: string;
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/csv/gen/records.json'), 'utf8'),
) as readonly RecordedText[];

test('texts are read, and refused, as encoding/csv does', () => {
  for (const { text, records = [], error } of recorded) {
    if (error === undefined) assert.deepEqual(parseCsv(text), records, JSON.stringify(text));
    else assert.throws(() => parseCsv(text), { message: error }, JSON.stringify(text));
  }
});

test('the time for a text grows as its length does', () => {
  const started = performance.now();
  for (const unit of ['" : ', '"a"\n', '"",', '""']) {
    const text = unit.repeat(200_000);
    try {
      parseCsv(text);
    } catch {
      // Some of them are no CSV.
    }
  }
  assert.ok(performance.now() - started < 5_000);
});
