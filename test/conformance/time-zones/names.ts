import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { readGen } from '#shared/api/gen-folder.ts';

const systemFolder = '/usr/share/zoneinfo';

/** Names in other cases, and beside the pattern that upstream allows: characters, lengths, steps. */
const odd = [
  'Local',
  'local',
  'LOCAL',
  'loCal',
  'utc',
  'Utc',
  'PST',
  'CEST',
  'Z',
  'GMT+1',
  'UTC+2',
  'Etc/GMT+15',
  'Etc/GMT-15',
  '+05:00',
  '-05:00',
  '+0500',
  'UTC0',
  'EST5',
  'TZ=UTC',
  ' UTC',
  'UTC ',
  'U TC',
  '<UTC>&',
  '\tUTC',
  'UTC\n',
  'UTC\0',
  '\0',
  'Europe',
  'Europe/',
  'Europe/Berlin/',
  'Europe/Berlin/x',
  '/Europe/Berlin',
  'Europe//Berlin',
  './UTC',
  'Europe/./Berlin',
  '.',
  '..',
  '...',
  'a..b',
  'Etc/..',
  '../UTC',
  'Etc/../UTC',
  '../../etc/passwd',
  '/etc/localtime',
  '.hidden',
  'Etc/.hidden',
  '\\UTC',
  'Europe\\Berlin',
  '-UTC',
  'Etc/-UTC',
  '+',
  '_',
  '-',
  '0',
  '9',
  'É',
  'Europe/Zürich',
  'Ｕ\u{ff34}C',
  '\u{1f30d}',
  'US/Pacific-New',
  'posixrules',
  'leapseconds',
  'leap-seconds.list',
  'tzdata.zi',
  'zone.tab',
  'zone1970.tab',
  'iso3166.tab',
  'localtime',
  'right',
  'posix',
  'right/UTC',
  'posix/UTC',
  'right/Europe/Berlin',
  'posix/posix/UTC',
  'Factory',
  'SystemV/AST4',
  'A'.repeat(14),
  'A'.repeat(15),
  'A/'.repeat(3) + 'A',
  'A/'.repeat(200) + 'A',
  'UTC/'.repeat(1023) + 'U',
  'UTC/'.repeat(1100) + 'U',
  'Aa/'.repeat(1359) + 'A',
  'A/'.repeat(2030) + 'A',
  'A/'.repeat(3000) + 'A',
  'x'.repeat(70_000),
  'toString',
  '__proto__',
  'constructor',
];

/** Every name, once. */
export function allNames(): string[] {
  const exact = [...readGen<readonly string[]>('time-zones'), ...systemNames()];
  const changed = exact.flatMap((name) => [
    name.toLowerCase(),
    name.toUpperCase(),
    swapCase(name),
    `${name}/x`,
    `x${name}`,
  ]);
  return [...new Set([...exact, ...changed, ...odd])];
}

/** Files and folders. */
function systemNames(): string[] {
  if (!existsSync(systemFolder)) return [];
  return readdirSync(systemFolder, { recursive: true, withFileTypes: true }).map((entry) =>
    relative(systemFolder, join(entry.parentPath, entry.name)),
  );
}

function swapCase(name: string): string {
  return name.replaceAll(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
}
