import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { ProjectOnDisk } from './project-on-disk.ts';
import type { CheckedProject, Rule } from './rule.ts';
import { rules } from './rules.ts';

const planted = join(import.meta.dirname, 'planted');
const planting = { tsconfig: join(planted, 'tsconfig.json'), folders: [planted] };

/** Problems of a rule in files that exist only here. */
function problemsIn(rule: Rule | undefined, files: Readonly<Record<string, string>>): readonly string[] {
  const project: Omit<CheckedProject, 'typed'> = {
    sources: Object.entries(files).map(([name, text]) => ({ name, text })),
    files: Object.keys(files),
  };
  return rule?.check(project as CheckedProject).problems ?? [];
}

describe('rules that look at types', () => {
  for (const [name, file] of [
    ['client-keys', 'look-ups.ts'],
    ['repeat-searches', 'searches.ts'],
    ['unrun-steps', 'steps.ts'],
    ['wall-clock', 'clocks.ts'],
  ] as const) {
    test(`${name} reports the marked lines of ${file} and no others`, () => {
      const project = new ProjectOnDisk(planting);
      const problems = rules[name]?.check(project).problems ?? [];
      project.close();
      const found = problems
        .filter((line) => line.includes(`${file}:`))
        .map((line) => Number(line.slice(line.indexOf(`${file}:`) + file.length + 1).split(':')[0]));
      const marked = readFileSync(join(planted, file), 'utf8')
        .split('\n')
        .flatMap((line, at) => (line.endsWith('// found') ? [at + 1] : []));
      assert.deepEqual(found, marked, problems.join('\n'));
    });
  }

  test('types reports what the compiler says, at its line', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wrong-types-'));
    const tsconfig = join(folder, 'tsconfig.json');
    writeFileSync(join(folder, 'assigned.ts'), "export const a: string = '';\nexport const b: number = a;\n");
    writeFileSync(tsconfig, JSON.stringify({ compilerOptions: { noEmit: true, types: [] }, include: ['*.ts'] }));
    const project = new ProjectOnDisk({ tsconfig });
    const problems = rules['types']?.check(project).problems ?? [];
    project.close();
    rmSync(folder, { recursive: true });
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /assigned\.ts:2:14: TS2322: Type 'string' is not assignable to type 'number'\.$/);
  });
});

describe('rules that look at texts', () => {
  test('file-sizes reports a file of 301 lines, and lets one of 300 pass', () => {
    const files = { 'shared/a/long.ts': '\n'.repeat(301), 'shared/a/short.ts': '\n'.repeat(300) };
    assert.match(problemsIn(rules['file-sizes'], files)[0] ?? '', /^shared\/a\/long\.ts: 301 lines/);
  });

  test('line-widths reports a comment of 121 characters, and lets a long string pass', () => {
    const files = {
      'shared/a/comment.ts': `// word ${'x'.repeat(113)}\n`,
      'shared/a/string.ts': `const text = '${'x'.repeat(200)}';\n`,
    };
    assert.deepEqual(problemsIn(rules['line-widths'], files), ['shared/a/comment.ts:1: more than 120 characters']);
  });

  test('unique-exports reports a name that two files of the product export', () => {
    const text = 'export function parsePort() {}\n';
    assert.deepEqual(
      problemsIn(rules['unique-exports'], { 'shared/a/x.ts': text, 'shared/b/y.ts': text, 'shared/b/y.test.ts': text }),
      ['parsePort is exported by shared/a/x.ts and shared/b/y.ts: say what each is'],
    );
  });

  test('import-arrows reports imports that climb, that no rule allows, and that make a circle by types', () => {
    const problems = problemsIn(rules['import-arrows'], {
      'shared/caches/x.ts': "import { y } from '../storage/y.ts';\n",
      'shared/caches/y.ts': "import { z } from './z.ts';\n",
      'shared/caches/z.ts': "import type { Y } from './y.ts';\n",
    });
    assert.ok(
      problems.includes("shared/caches/x.ts: '../storage/y.ts' climbs; name it by its path from the root, '#…'"),
    );
    assert.ok(
      problems.some((problem) => problem.startsWith('shared/caches/x.ts → shared/storage/y.ts: shared/caches may')),
    );
    assert.ok(problems.some((problem) => /^files import each other: .*caches\/y\.ts/.test(problem)));
  });

  test('top-level reports what is not in its list, and what is missing', () => {
    const parts = ['gateway/x.ts', 'servers/x.ts', 'shared/x.ts', 'test/x.ts', '.gitignore', '.github/x.md'];
    const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'compose.yaml', 'LICENSE', 'go.mod', ...parts];
    const problems = problemsIn(rules['top-level'], Object.fromEntries(files.map((file) => [file, ''])));
    assert.equal(problems.length, 2);
    assert.match(problems[0] ?? '', /^go\.mod: the top level has /);
    assert.equal(problems[1], 'README.md: missing at the top level');
  });

  test('flags-read reports flags that no source names', () => {
    assert.ok(problemsIn(rules['flags-read'], {}).includes('--secure-port is declared, and nothing reads it'));
  });
});

describe('check.ts', () => {
  const check = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', join(import.meta.dirname, 'check.ts'), ...args], {
      encoding: 'utf8',
    });

  test('ends with 1 and tells every problem where a rule finds some', () => {
    const run = check('client-keys', 'repeat-searches', '--tsconfig', planting.tsconfig, '--folder', planted);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /look-ups\.ts:\d+.*searches\.ts:\d+/s);
    assert.match(run.stdout, /FAILED client-keys.*FAILED repeat-searches.*2 failed in/s);
  });

  test('ends with 0 where no rule finds a problem', () => {
    // Nothing of the planted project lies there.
    const folder = join(import.meta.dirname, 'imports');
    assert.equal(check('client-keys', '--tsconfig', planting.tsconfig, '--folder', folder).status, 0);
  });

  test('ends with 2 and lists the checks for an unknown name', () => {
    const run = check('file-size');
    assert.equal(run.status, 2);
    assert.match(run.stderr, /no such check: file-size\. There are .*file-sizes/);
  });
});
