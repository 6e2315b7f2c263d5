// Every file or folder that a README or another document names in backticks is there: from the top, from the document's
// folder, or as the end of a path below that folder. Links lead from the document's folder to what is there.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Rule } from './rule.ts';
import { projectRoot } from './source-files.ts';

const named = /`([\w./-]*[\w-]\.(?:ts|mjs|sh|py|json)|[\w.-]+(?:\/[\w.-]+)*\/)`/g;

/** A link to another file; its anchor is not looked up. */
const linked = /\]\((?!\w+:)([^()#\s]+)(?:#[^()\s]*)?\)/g;

/** What is made by a build or while running. */
const made = /^(?:dist|node_modules|gen|pki)\/|^kubeconfig/;

export const readmePaths: Rule = {
  check({ files }) {
    const documents = files.filter((file) => file.endsWith('.md'));
    const problems = documents.flatMap((document) => problemsOf(document, files));
    return { problems, summary: `${documents.length} documents` };
  },
};

function problemsOf(document: string, files: readonly string[]): string[] {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  const missing = [...text.matchAll(named)]
    .map(([, name = '']) => name)
    .filter((name) => !made.test(name) && !isNamed(document, name, files))
    .map((name) => `${document}: \`${name}\` is not there`);
  const broken = [...text.matchAll(linked)]
    .map(([, target = '']) => target)
    .filter((target) => !existsSync(join(projectRoot, dirname(document), target)))
    .map((target) => `${document}: the link to ${target} leads nowhere`);
  return [...missing, ...broken];
}

function isNamed(document: string, name: string, files: readonly string[]): boolean {
  const folder = document.startsWith('.github/') ? '.' : dirname(document);
  if ([folder, '.'].some((from) => existsSync(join(projectRoot, from, name)))) return true;
  const below = files.filter((file) => folder === '.' || file.startsWith(`${folder}/`));
  return below.some((file) => (name.endsWith('/') ? file.includes(`/${name}`) : file.endsWith(`/${name}`)));
}
