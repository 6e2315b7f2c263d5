// Writes each table of a recording to its file below shared/admission, each line once and in the order of the texts:
//   node split.mjs RECORDING FOLDER
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folders = {
  'validating-dispatch': 'policies/validating',
  validator: 'policies/validating',
  mutations: 'policies/mutating',
  merges: 'policies/mutating',
  'mutating-dispatch': 'policies/mutating',
  'match-resources': 'matching',
  rules: 'matching',
  'namespace-labels': 'matching',
  'object-selectors': 'matching',
};
const isRandom = /^[0-9a-f-]{36}$/;
const [, , recording, folder] = process.argv;
const tables = new Map();
// Test servers have random ports.
for (const text of readFileSync(recording, 'utf8')
  .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1')
  .split('\n')) {
  if (text === '') continue;
  const { table, ...line } = JSON.parse(text, (key, value) =>
    key === 'caBundle' || (key === 'resourceVersion' && isRandom.test(value)) ? undefined : value,
  );
  if (!tables.has(table)) tables.set(table, new Set());
  tables.get(table).add(JSON.stringify(line));
}
for (const [table, lines] of tables) {
  const file = join(folder, folders[table] ?? 'webhooks', 'testdata', `${table}.json`);
  writeFileSync(file, `[\n${[...lines].toSorted((a, b) => (a < b ? -1 : 1)).join(',\n')}\n]\n`);
  console.log(`${table}: ${lines.size}`);
}
