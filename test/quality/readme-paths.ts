// Every file or folder that a README or another document names in backticks is there: from the top, from the document's
// folder, or as the end of a path below that folder. Links lead from the document's folder to what is there. Run by
// `npm run check`.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from './source-files.ts';

const named = /`([\w./-]*[\w-]\.(?:ts|mjs|sh|py|json)|[\w.-]+(?:\/[\w.-]+)*\/)`/g;

/** A link to another file; its anchor is not looked up. */
const linked = /\]\((?!\w+:)([^()#\s]+)(?:#[^()\s]*)?\)/g;

/** What is made by a build or while running. */
const made = /^(?:dist|node_modules|gen|pki)\/|^kubeconfig/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: projectRoot,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(projectRoot, file)));
const documents = files.filter((file) => file.endsWith('.md'));

function isNamed(document: string, name: string): boolean {
  const folder = document.startsWith('.github/') ? '.' : dirname(document);
  if ([folder, '.'].some((from) => existsSync(join(projectRoot, from, name)))) return true;
  const below = files.filter((file) => folder === '.' || file.startsWith(`${folder}/`));
  return below.some((file) => (name.endsWith('/') ? file.includes(`/${name}`) : file.endsWith(`/${name}`)));
}

const problems: string[] = [];
for (const document of documents) {
  const text = readFileSync(join(projectRoot, document), 'utf8');
  for (const [, name = ''] of text.matchAll(named)) {
    if (!isNamed(document, name) && !made.test(name)) problems.push(`${document}: \`${name}\` is not there`);
  }
  for (const [, target = ''] of text.matchAll(linked)) {
    if (!existsSync(join(projectRoot, dirname(document), target)))
      problems.push(`${document}: the link to ${target} leads nowhere`);
  }
}
for (const problem of problems) console.error(problem);
console.log(`readme paths: ${documents.length} documents, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
