import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { importRules } from '#test/quality/imports/rules.ts';
import { projectRoot } from '#test/quality/source-files.ts';
import { areas, areasOfFolders, type Area } from './areas.ts';
import { changeSince, scriptsOf, touchedAreas } from './change.ts';
import { planGate } from './plan.ts';
import { gateForm, type Suite } from './suite.ts';
import { suites } from './suites.ts';

function suite(title: string, area: Area, minutes: number): Suite {
  return { title, areas: [area], needs: [], whole: { command: `test/of/${title}/run.ts`, minutes }, gate: 'whole' };
}
const titles = (chosen: readonly Suite[]): string[] => chosen.map(({ title }) => title);

describe('planGate', () => {
  const table = [
    suite('codecs-1', 'codecs', 2),
    suite('codecs-2', 'codecs', 2),
    suite('identity-1', 'identity', 1),
    suite('identity-2', 'identity', 3),
    suite('lists-1', 'lists', 1),
  ];
  const budget = { touchedMinutes: 5, turnMinutes: 1 };
  const lines = new Map([
    ['shared/x509/der.ts', 10],
    ['shared/serializer/codec.ts', 20],
  ]);

  test('plays the first suite of each touched area, the most changed first, and then the second ones', () => {
    assert.deepEqual(titles(planGate(table, lines, 0, budget).chosen).slice(0, 3), [
      'codecs-1',
      'identity-1',
      'codecs-2',
    ]);
  });

  test('leaves out what the planned minutes do not allow, and names it', () => {
    assert.deepEqual(titles(planGate(table, lines, 0, budget).leftOut), ['identity-2']);
  });

  test('adds an untouched area, another one each day', () => {
    const turns = Array.from({ length: areas.length - 2 }, (_, day) => planGate(table, lines, day, budget).turn);
    assert.deepEqual(new Set(turns), new Set(areas.filter((area) => area !== 'codecs' && area !== 'identity')));
    const ofLists = turns.indexOf('lists');
    assert.ok(titles(planGate(table, lines, ofLists, budget).chosen).includes('lists-1'));
  });

  test('plays the area by turns alone where nothing is known to have changed', () => {
    const { chosen, turn } = planGate(table, new Map(), areas.indexOf('codecs'), { touchedMinutes: 5, turnMinutes: 4 });
    assert.equal(turn, 'codecs');
    assert.deepEqual(titles(chosen), ['codecs-1', 'codecs-2']);
  });

  test('has no area by turns where all are touched', () => {
    const everything = new Map(Object.keys(areasOfFolders).map((folder) => [`${folder}/x.ts`, 1]));
    assert.equal(planGate(suites, everything, 3, budget).turn, undefined);
  });
});

describe('touchedAreas', () => {
  test('takes the longest folder that a path begins with', () => {
    const touched = touchedAreas(new Map([['gateway/openapi/merge.ts', 3]]), []);
    assert.deepEqual([...touched], [['openapi', 3]]);
  });

  test('takes a folder of a suite for the areas of the suite', () => {
    const touched = touchedAreas(new Map([['test/conformance/lists/run.ts', 1]]), suites);
    assert.deepEqual([...touched.keys()], ['lists']);
  });

  test('passes over documents and unit tests', () => {
    const lines = new Map([
      ['shared/x509/README.md', 5],
      ['shared/x509/der.test.ts', 5],
    ]);
    assert.equal(touchedAreas(lines, suites).size, 0);
  });

  test('knows every part of the product', () => {
    for (const part of Object.keys(importRules))
      assert.ok(touchedAreas(new Map([[`${part}/x.ts`, 1]]), []).size > 0, `areasOfFolders lacks ${part}`);
  });
});

describe('changeSince', () => {
  const folder = mkdtempSync(join(tmpdir(), 'change-'));
  after(() => rmSync(folder, { recursive: true }));
  const git = (date: string, ...args: string[]): void => {
    const who = ['-c', 'user.name=a', '-c', 'user.email=a@example', '-c', 'init.defaultBranch=main'];
    execFileSync('git', [...who, ...args], {
      cwd: folder,
      env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      stdio: 'ignore',
    });
  };
  const now = new Date('2026-03-01T12:00:00Z');
  git('', 'init');
  for (const [date, text] of [
    ['2026-03-01T06:00:00Z', 'one\n'],
    ['2026-03-01T10:00:00Z', 'one\ntwo\n'],
    ['2026-03-01T11:00:00Z', 'three\n'],
  ] as const) {
    writeFileSync(join(folder, 'file'), text);
    git(date, 'add', 'file');
    git(date, 'commit', '-m', `at ${date}`);
  }

  test('compares with the newest commit that is older than a session', () => {
    const { lines, since } = changeSince(folder, undefined, now);
    assert.deepEqual([...lines], [['file', 2]]);
    assert.match(since, /at 2026-03-01T06:00:00Z/);
  });

  test('compares with the named commit', () => {
    assert.deepEqual([...changeSince(folder, 'HEAD~1', now).lines], [['file', 3]]);
  });

  test('says so where no commit is old enough', () => {
    const { lines, since } = changeSince(folder, undefined, new Date('2026-03-01T09:00:00Z'));
    assert.equal(lines.size, 0);
    assert.equal(since, 'nothing: no commit here is older than 4 hours');
  });

  test('says so where the named commit is not there, as in a shallow clone', () => {
    const { lines, since } = changeSince(folder, 'f'.repeat(40), now);
    assert.equal(lines.size, 0);
    assert.match(since, /^nothing: f+ is not in this clone$/);
  });
});

describe('suites', () => {
  test('name scripts that exist', () => {
    const named = suites.flatMap((one) => [
      one.whole.command,
      gateForm(one)?.command ?? '',
      one.bounded ?? '',
      one.build ?? '',
    ]);
    assert.deepEqual(
      named.flatMap(scriptsOf).filter((file) => !existsSync(join(projectRoot, file))),
      [],
    );
  });

  test('have titles of their own', () => {
    assert.deepEqual(titles(suites), [...new Set(titles(suites))]);
  });

  test('give every area something for the gate that is not recorded', () => {
    for (const area of areas)
      assert.ok(
        suites.some((one) => one.areas.includes(area) && one.isRecorded === undefined && gateForm(one) !== undefined),
        area,
      );
  });

  test('hold every folder of comparisons with the reference', () => {
    const played = suites.flatMap(({ whole }) => scriptsOf(whole.command));
    // Its calls are recorded and played by unit tests of the merge.
    const elsewhere = ['structured-merge-diff'];
    const folders = readdirSync(join(projectRoot, 'test', 'conformance'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .filter((name) => !elsewhere.includes(name) && name !== 'data-both-ways');
    for (const name of folders)
      assert.ok(
        played.some((file) => file.startsWith(`test/conformance/${name}/`)),
        name,
      );
  });
});
