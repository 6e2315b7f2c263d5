import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { atOnce } from '#shared/apimachinery/slices/slices.ts';
import { parse } from '#shared/cel/parse/parse.ts';
import { environmentOf, issueLocations } from '#shared/cel/testdata/recorded-language.ts';

type RecordedIssue = [line: number, column: number, message: string, expecting?: number];
const { expecting, texts } = JSON.parse(
  readFileSync(process.env.CEL_TEXTS ?? new URL('../../testdata/gen/mutations.json', import.meta.url), 'utf8'),
) as { expecting: string[]; texts: [string, RecordedIssue[]][] };

/**
 * An explanation takes some milliseconds: all of them are compared with CEL_ALL_TEXTS set, else one of ten. CEL_TEXTS
 * names others.
 */
const compared = process.env.CEL_ALL_TEXTS === undefined ? texts.filter((_, index) => index % 10 === 0) : texts;
const environment = environmentOf({ f: '', e: '' });

function told(text: string): { l: number; c: number; m: string }[] {
  const parsed = atOnce(parse(text, environment));
  return 'issues' in parsed ? issueLocations(text, parsed.issues) : [];
}

function recorded(places: RecordedIssue[]): { l: number; c: number; m: string }[] {
  return places.map(([l, c, what, set]) => ({
    l,
    c,
    m: set === undefined ? what : `${what} expecting ${expecting[set]}`,
  }));
}

describe('parse', () => {
  test('rejects randomly edited expressions where cel-go rejects them, in its words', () => {
    for (const [text, places] of compared) assert.deepEqual(told(text), recorded(places), text);
  });
});
