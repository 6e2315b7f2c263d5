import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { StepList } from '#shared/spans/step-list.ts';
import { slowWorkText } from './slow-work-text.ts';

/** What upstream's package logs of it, recorded by `test/recorders/slow-work`. */
interface RecordedWork {
  readonly name: string;
  readonly level: number;
  readonly steps: readonly {
    readonly waitMs?: number;
    readonly begin?: string;
    readonly event?: string;
    readonly fields?: readonly (readonly [string, string])[];
    readonly endsAfterMs?: number;
  }[];
  readonly text: string;
}

const works = JSON.parse(
  readFileSync(join(import.meta.dirname, 'testdata', 'gen', 'texts.json'), 'utf8'),
) as RecordedWork[];

function textOf({ steps, level }: RecordedWork): string {
  let nowMs = 0;
  let text = '';
  const open: StepList[] = [];
  for (const { waitMs = 0, begin, event, fields, endsAfterMs = 0 } of steps) {
    nowMs += waitMs;
    const inner = open.at(-1);
    const attributes = fields === undefined ? undefined : Object.fromEntries(fields);
    if (begin !== undefined) open.push(inner?.nest(begin, attributes, nowMs) ?? new StepList(begin, attributes, nowMs));
    else if (event !== undefined) inner?.add(event, attributes, nowMs);
    else if (open.pop()?.end(nowMs, endsAfterMs) === true && open.length === 0 && inner !== undefined)
      text = slowWorkText(inner, { id: 1, isWhole: level >= 4, nowMs });
  }
  return text
    .replaceAll(/\d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d:\d\d\.\d{3}/g, 'DAY TIME')
    .replaceAll(/\d\d:\d\d:\d\d\.\d{3}/g, 'TIME');
}

describe('slowWorkText', () => {
  for (const work of works) test(`${work.name}, as upstream`, () => assert.equal(textOf(work), work.text));

  test('values of a client with line feeds, stay in their line', () => {
    const work = new StepList('Get', { url: '/a\nTrace[1]: forged' }, 0);
    work.end(1000, 500);
    assert.match(slowWorkText(work, { id: 1, isWhole: false, nowMs: 1000 }), /url:\/a\\nTrace\[1\]: forged /);
  });

  test('work with endless steps, keeps 500 of them', () => {
    const work = new StepList('Delete', undefined, 0);
    for (let at = 0; at < 1000; at++) work.nest('cacher.Get', undefined, at).add('step', undefined, at);
    work.end(1000, 500);
    assert.equal(slowWorkText(work, { id: 1, isWhole: true, nowMs: 1000 }).split('\n').length, 503);
  });
});
