// Writes each table of a recording to its file below shared/authorization, in the order of the calls:
//   node split.mjs RECORDING FOLDER
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = { loads: 'configuration', configurations: 'configuration', conditions: 'configuration' };
const [, , recording, folder] = process.argv;
const tables = new Map();
const contents = [];
// Test servers have random ports, and files random names.
for (const text of readFileSync(recording, 'utf8')
  .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
  .replaceAll(/\/tmp\/[A-Za-z_]*\d+/g, '/FILE')
  .split('\n')) {
  if (text === '') continue;
  const { table, ...line } = JSON.parse(text);
  // Decisions name the file of their policies by its number.
  if (table === 'abac-files' && !contents.includes(line.contents)) contents.push(line.contents);
  else if (table.startsWith('abac-') && line.contents !== undefined) {
    line.file = contents.indexOf(line.contents);
    delete line.contents;
  }
  if (!tables.has(table)) tables.set(table, []);
  tables.get(table).push(JSON.stringify(line));
}
for (const [table, all] of tables) {
  // Webhooks are asked the same again, and may have kept the answer.
  const lines = table === 'webhook-calls' ? all : [...new Set(all)];
  const kind = folders[table] ?? (table.startsWith('abac') ? 'abac' : 'webhook');
  mkdirSync(join(folder, kind, 'testdata'), { recursive: true });
  writeFileSync(join(folder, kind, 'testdata', `${table}.json`), `[\n${lines.join(',\n')}\n]\n`);
  console.log(`${table}: ${lines.length}`);
}
