// The map of folders in `.github/ARCHITECTURE.md` and the line of each part's README that says what it may import are
// made from the first sentence of each README and from `imports/rules.ts`. Run by `npm run check`, which fails when
// they are not what is committed; `--write` writes them.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importRules, type ImportRule } from './imports/rules.ts';
import { projectRoot } from './source-files.ts';

const architecture = '.github/ARCHITECTURE.md';
const mapMarks = ['<!-- map: written by test/quality/folder-maps.ts -->', '<!-- end of map -->'] as const;
const importMarks = ['<!-- imports: written by test/quality/folder-maps.ts -->', '<!-- end of imports -->'] as const;

/** What stands between two marks of a text is replaced. Throws where a mark is missing. */
function replaceBetween(text: string, [start, end]: readonly [string, string], body: string, file: string): string {
  const from = text.indexOf(start);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`${file} lacks the lines ${start} and ${end}`);
  return `${text.slice(0, from + start.length)}\n${body}\n${text.slice(to)}`;
}

/** Of the paragraph behind the title. */
function firstSentence(readme: string): string {
  const paragraph = readme.split('\n\n')[1]?.replaceAll('\n', ' ') ?? '';
  return /^.*?[.:](?= [A-Z`]|$)/.exec(paragraph)?.[0].replace(/[.:]$/, '') ?? paragraph;
}

function importLine({ may, why }: ImportRule): string {
  const names = may.map((part) => `\`${part}\``);
  return names.length === 0 ? `Imports no other part: ${why}.` : `May import ${names.join(', ')}: ${why}.`;
}

const isWriting = process.argv.includes('--write');
const stale: string[] = [];

function settle(file: string, make: (text: string) => string): void {
  const path = join(projectRoot, file);
  const text = readFileSync(path, 'utf8');
  const made = make(text);
  if (made === text) return;
  stale.push(file);
  if (isWriting) writeFileSync(path, made);
}

const parts = Object.entries(importRules);
for (const [part, rule] of parts) {
  const file = `${part}/README.md`;
  settle(file, (text) => replaceBetween(text, importMarks, importLine(rule), file));
}
const rows = parts.map(
  ([part]) => `| \`${part}/\` | ${firstSentence(readFileSync(join(projectRoot, part, 'README.md'), 'utf8'))} |`,
);
settle(architecture, (text) =>
  replaceBetween(text, mapMarks, ['| folder | what is there |', '|---|---|', ...rows].join('\n'), architecture),
);

for (const file of stale)
  console.error(`${file} is ${isWriting ? 'written' : 'stale: node --import tsx test/quality/folder-maps.ts --write'}`);
console.log(`folder maps: ${parts.length} parts, ${stale.length} stale`);
process.exitCode = stale.length > 0 && !isWriting ? 1 : 0;
