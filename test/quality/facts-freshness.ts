// Facts are generated: whoever changes the generator or its sources runs shared/api/generator/generate.sh, and nobody
// changes shared/api/gen by hand. Both would show against the digests that generate.sh leaves. Run by `npm run check`;
// with Go, shared/api/generator/check.sh generates anew and compares for certain.
//   facts-freshness.ts [--write]
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from './source-files.ts';

const api = join(projectRoot, 'shared', 'api');
const manifestFile = join(api, 'generator', 'manifest.json');

/** What the facts are made from. record.ts only makes recorded.json, and the scripts say nothing about the outcome. */
const sources = [
  ...readdirSync(join(api, 'generator'))
    .filter((name) => name.endsWith('.go') || name === 'recorded.json')
    .map((name) => join(api, 'generator', name)),
  join(projectRoot, 'go.mod'),
  join(projectRoot, 'go.sum'),
];
const generated = readdirSync(join(api, 'gen'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));

const digests = Object.fromEntries(
  [...sources, ...generated]
    .map((file) => [relative(api, file), digest(file)])
    .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
);

if (process.argv.includes('--write')) {
  writeFileSync(manifestFile, `${JSON.stringify(digests, undefined, 1)}\n`);
} else {
  const expected = JSON.parse(readFileSync(manifestFile, 'utf8')) as Record<string, string>;
  const changed = [...new Set([...Object.keys(expected), ...Object.keys(digests)])].filter(
    (file) => expected[file] !== digests[file],
  );
  for (const file of changed)
    console.error(`shared/api/${file}: not as shared/api/generator/generate.sh left it; run that`);
  console.log(
    `facts: ${sources.length} sources, ${generated.length} generated files, ${changed.length} changed since they were generated`,
  );
  process.exitCode = changed.length > 0 ? 1 : 0;
}

function digest(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex').slice(0, 24);
}
