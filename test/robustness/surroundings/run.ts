/**
 * Starts the bundles in many surroundings (groups/*.ts): wrong clocks, low limits, odd file systems, addresses, users,
 * environments, little memory, signals, removed files. Each has to end in a working server, to which a client with the
 * written kubeconfig can talk, or in an end with one line of cause and remedy. Prints a table; what this machine cannot
 * do is left out loudly. Usage: run.ts [--only TEXT] [--within SECONDS]; QUARTERDECK_DIST names other bundles than
 * those of dist/. --only: rows and groups whose name contains it; --within: how long an end may take (5 on a quiet
 * machine).
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { addresses } from './groups/addresses.ts';
import { clocks } from './groups/clocks.ts';
import { environments } from './groups/environments.ts';
import { fileSystems } from './groups/file-systems.ts';
import { limits } from './groups/limits.ts';
import { memory } from './groups/memory.ts';
import { removedFiles } from './groups/removed-files.ts';
import { signals } from './groups/signals.ts';
import { users } from './groups/users.ts';
import { missing } from './needs.ts';
import { play } from './play.ts';

const { values } = parseArgs({
  options: { only: { type: 'string', default: '' }, within: { type: 'string', default: '120' } },
});
const program = join(
  process.env['QUARTERDECK_DIST'] ?? join(import.meta.dirname, '..', '..', '..', 'dist'),
  'quarterdeck.js',
);
const groups = [clocks, limits, fileSystems, addresses, users, environments, memory, signals, removedFiles];
const longestCell = 220;

const cell = (text: string): string => text.replaceAll('\n', ' ').replaceAll('|', '/').slice(0, longestCell);
const failures: string[] = [];
let [played, leftOut] = [0, 0];
process.stdout.write('| group | a server | s | seen |\n|---|---|---|---|\n');
for (const group of groups)
  for (const row of group.rows) {
    if (!`${group.name} ${row.name}`.includes(values.only)) continue;
    const lacks = missing(row.needs ?? []);
    if (lacks.length > 0) {
      leftOut++;
      process.stdout.write(`!!! LEFT OUT: a server ${row.name}: this machine has not: ${lacks.join(', ')}\n`);
      continue;
    }
    played++;
    const { seen, fault, ms } = await play(row, { program, withinMs: Number(values.within) * 1000 });
    if (fault !== '') failures.push(`a server ${row.name}: ${fault}`);
    const result = fault === '' ? seen : `FAILED: ${fault}`;
    process.stdout.write(`| ${group.name} | ${row.name} | ${(ms / 1000).toFixed(1)} | ${cell(result)} |\n`);
  }
for (const failure of failures) process.stdout.write(`\n${failure}\n`);
process.stdout.write(`\n${played} surroundings, ${failures.length} failed, ${leftOut} left out\n`);
process.exitCode = failures.length === 0 ? 0 : 1;
