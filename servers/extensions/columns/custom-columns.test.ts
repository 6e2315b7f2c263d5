import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { objectMetaOf } from '#servers/extensions/custom-resource-schema.ts';
import { loadFacts } from '#shared/api/load-facts.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { looseText } from '#shared/serializer/json/loose.ts';
import { parsePrinted } from '#shared/serializer/json/parse.ts';
import { AgeClock } from '#shared/serializer/table/age-clock.ts';
import { renderCells } from '#shared/serializer/table/cells.ts';
import { customTable } from './custom-columns.ts';
import { columnPaths, columnSpec, columnTypes } from './testdata/column-cases.ts';

const recorded = JSON.parse(readFileSync(new URL('./testdata/recorded.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, string>
>;
const metadata = objectMetaOf(loadFacts());
/** As it comes out of storage. */
const object = atOnce(
  parsePrinted(
    looseText({ apiVersion: 'columns.example.com/v1', kind: 'Show', metadata: { name: 'shown' }, spec: columnSpec }),
  ),
) as JsonObject;

function columns(...paths: readonly string[]): Parameters<typeof customTable>[0] {
  return paths.flatMap((jsonPath) =>
    columnTypes.map((type) => ({ name: type, type, format: '', description: '', priority: 0, jsonPath })),
  );
}

describe('columns of a definition', () => {
  for (const path of columnPaths)
    test(`show at ${JSON.stringify(path)} what the reference shows`, () => {
      const [, ...cells] = renderCells(customTable(columns(path), metadata).print(object), new AgeClock(Date.now()));
      assert.equal(looseText(cells).replaceAll(/"\d{1,2}y\d*d?"/g, '"<age>"'), recorded[path]);
    });

  test('end before a path that cannot be read', () => {
    const table = customTable(columns('.spec.size', '.spec.list[0', '.spec.name'), metadata);
    assert.equal(table.columns.length, 1 + columnTypes.length);
    assert.equal(table.print(object).cells.length, 1 + columnTypes.length);
  });
});
