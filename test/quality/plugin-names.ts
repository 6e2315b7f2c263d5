// What every process knows of the admission plugins (names in their order, defaults) is written here from the one table
// in servers/core/admission/core-plugins.ts. Fails where it is not what is committed; `--write` writes it. Run by
// `npm run check`.
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { corePluginTable } from '#servers/core/admission/core-plugins.ts';
import { projectRoot } from './source-files.ts';

const file = 'shared/admission/gen/plugin-table.ts';
const path = resolve(projectRoot, file);
const isWriting = process.argv.includes('--write');

const entries = corePluginTable.map(
  ({ name, byDefault = false, make }) =>
    `  { name: '${name}', byDefault: ${byDefault}, isBuilt: ${make !== undefined} },\n`,
);
const made = `// Written by test/quality/plugin-names.ts from servers/core/admission/core-plugins.ts.
import type { PluginEntry } from '#shared/admission/plugin-entry.ts';

/** All admission plugins in the order in which they run. */
export const pluginTable: readonly PluginEntry[] = [
${entries.join('')}];
`;

let committed = '';
try {
  committed = readFileSync(path, 'utf8');
} catch {
  // Nothing was written yet.
}
if (isWriting) writeFileSync(path, made);
else if (committed !== made) {
  console.error(`${file} is stale: node --import tsx test/quality/plugin-names.ts --write`);
  process.exitCode = 1;
}
console.log(`plugin names: ${entries.length} plugins, ${!isWriting && committed !== made ? 1 : 0} stale files`);
