// An exported name means one thing: no two files of the product export the same one. Run by `npm run check`.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { projectRoot, sourceFiles } from './source-files.ts';

/** Each sub-command's entry, which the launcher finds by this name. */
const entryNames: ReadonlySet<string> = new Set(['main']);
const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm;

const files = sourceFiles().filter(
  (file) => !file.startsWith('test/') && !/\.test\.ts$|\/testing\/|\/testdata\//.test(file),
);
const exporters = new Map<string, Set<string>>();
for (const file of files) {
  for (const [, name = ''] of readFileSync(resolve(projectRoot, file), 'utf8').matchAll(declaration)) {
    if (entryNames.has(name)) continue;
    const known = exporters.get(name);
    if (known === undefined) exporters.set(name, new Set([file]));
    else known.add(file);
  }
}
const repeated = [...exporters].filter(([, of]) => of.size > 1);
for (const [name, of] of repeated) console.error(`${name} is exported by ${[...of].join(' and ')}: say what each is`);
console.log(`unique exports: ${exporters.size} names, ${repeated.length} repeated`);
process.exitCode = repeated.length > 0 ? 1 : 0;
