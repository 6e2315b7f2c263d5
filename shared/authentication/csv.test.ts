import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseCsv } from './csv.ts';

interface RecordedText {
  readonly text: string;
  readonly records?: readonly (readonly string[])[];
  readonly error?: string;
}

const recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata/csv/gen/records.json'), 'utf8'),
) as readonly RecordedText[];

describe('parseCsv', () => {
  test("returns records and errors as Go's encoding/csv does", () => {
    for (const { text, records = [], error } of recorded) {
      if (error === undefined) assert.deepEqual(parseCsv(text), records, JSON.stringify(text));
      else assert.throws(() => parseCsv(text), { message: error }, JSON.stringify(text));
    }
  });

  test('takes time in proportion to the length of the text', () => {
    for (const unit of ['" : ', '"a"\n', '"",', '""']) {
      const text = unit.repeat(200_000);
      try {
        parseCsv(text);
      } catch {
        // Some of them are no CSV.
      }
    }
  });
});
