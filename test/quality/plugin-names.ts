// What every process knows of the admission plugins (names in their order, defaults) is made from the one table in
// servers/core/admission/core-plugins.ts.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { corePluginTable } from '#servers/core/admission/core-plugins.ts';
import type { Rule } from './rule.ts';
import { projectRoot } from './source-files.ts';

const file = 'shared/admission/gen/plugin-table.ts';
const path = resolve(projectRoot, file);

export const pluginNames: Rule = {
  check() {
    const isCommitted = existsSync(path) && readFileSync(path, 'utf8') === madeTable();
    return {
      problems: isCommitted ? [] : [`${file} is stale: npm run check -- plugin-names --write`],
      summary: `${corePluginTable.length} plugins`,
    };
  },
  write() {
    writeFileSync(path, madeTable());
  },
};

function madeTable(): string {
  const entries = corePluginTable.map(
    ({ name, byDefault = false, make }) =>
      `  { name: '${name}', byDefault: ${byDefault}, isBuilt: ${make !== undefined} },\n`,
  );
  return `// Written by test/quality/plugin-names.ts from servers/core/admission/core-plugins.ts.
import type { PluginEntry } from '#shared/admission/plugin-entry.ts';

/** All admission plugins in the order in which they run. */
export const pluginTable: readonly PluginEntry[] = [
${entries.join('')}];
`;
}
