import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { tabTable } from './tab-table.ts';

interface Table {
  readonly rows: readonly (readonly string[])[];
  readonly text: string;
}

const tables = JSON.parse(readFileSync(new URL('./testdata/tables.json', import.meta.url), 'utf8')) as readonly Table[];

test('tabTable aligns random cells as text/tabwriter does', () => {
  for (const { rows, text } of tables) assert.equal(tabTable(rows), text);
});
