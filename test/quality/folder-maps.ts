// The map of folders in `.github/ARCHITECTURE.md` and the line of each part's README that says what it may import are
// made from the first sentence of each README and from `imports/rules.ts`.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importRules, type ImportRule } from './imports/rules.ts';
import type { Rule } from './rule.ts';
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

export const folderMaps: Rule = {
  check() {
    return {
      problems: [...staleFiles().keys()].map((file) => `${file} is stale: npm run check -- folder-maps --write`),
      summary: `${Object.keys(importRules).length} parts`,
    };
  },
  write() {
    for (const [file, text] of staleFiles()) writeFileSync(join(projectRoot, file), text);
  },
};

/** The files that are not as they have to be, each with what it has to be. */
function staleFiles(): ReadonlyMap<string, string> {
  const stale = new Map<string, string>();
  const settle = (file: string, marks: readonly [string, string], body: string): void => {
    const text = textOf(file);
    const made = replaceBetween(text, marks, body, file);
    if (made !== text) stale.set(file, made);
  };
  const parts = Object.entries(importRules);
  for (const [part, rule] of parts) settle(`${part}/README.md`, importMarks, importLine(rule));
  const rows = parts.map(([part]) => `| \`${part}/\` | ${firstSentence(textOf(`${part}/README.md`))} |`);
  settle(architecture, mapMarks, ['| folder | what is there |', '|---|---|', ...rows].join('\n'));
  return stale;
}

function textOf(file: string): string {
  return readFileSync(join(projectRoot, file), 'utf8');
}
