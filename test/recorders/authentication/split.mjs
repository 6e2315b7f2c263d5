// Writes each table of a recording to its file below shared/authentication, in the order of the calls:
//   node split.mjs RECORDING FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = { configurations: 'configuration', parts: 'configuration', tokens: 'oidc' };
const [, , recording, folder] = process.argv;
const tables = new Map();
for (const text of readFileSync(recording, 'utf8').split('\n')) {
  if (text === '') continue;
  const { table, ...line } = JSON.parse(text);
  if (!tables.has(table)) tables.set(table, new Set());
  tables.get(table).add(JSON.stringify(line));
}
for (const [table, lines] of tables) {
  const testdata = join(folder, folders[table], 'testdata');
  mkdirSync(testdata, { recursive: true });
  writeFileSync(join(testdata, `${table}.json`), `[\n${[...lines].join(',\n')}\n]\n`);
  console.log(`${table}: ${lines.size}`);
}
