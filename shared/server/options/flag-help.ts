import { flagName, type Flag } from './flag-set.ts';

/** `--help`: flags by section in the table's order, aligned as pflag aligns them. */
export function formatHelp(usage: string, table: Readonly<Record<string, unknown>>): string {
  const sections = new Map<string, [string, Flag<unknown>][]>();
  for (const [key, declared] of Object.entries(table) as [string, Flag<unknown>][]) {
    if (declared.hidden === true) continue;
    const members = sections.get(declared.section) ?? [];
    members.push([key, declared]);
    sections.set(declared.section, members);
  }
  let text = `${usage}\n`;
  for (const [section, members] of sections) text += `\n${section} flags:\n\n${formatSection(members)}`;
  return `${text}\nGlobal flags:\n\n  -h, --help   help for quarterdeck\n`;
}

function formatSection(members: readonly [string, Flag<unknown>][]): string {
  const rows = members
    .map(([key, declared]) => ({ head: formatHead(flagName(key), declared), tail: formatTail(declared) }))
    .sort((a, b) => (a.head.slice(6) < b.head.slice(6) ? -1 : 1));
  const width = Math.max(...rows.map((row) => row.head.length));
  return rows.map((row) => `${row.head.padEnd(width)}   ${row.tail}\n`).join('');
}

function formatHead(name: string, declared: Flag<unknown>): string {
  const short = declared.shorthand === undefined ? '      ' : `  -${declared.shorthand}, `;
  const type = declared.kind.typeName;
  return `${short}--${name}${type === '' ? '' : ` ${type}`}`;
}

function formatTail(declared: Flag<unknown>): string {
  const initial = declared.shownDefault ?? declared.kind.format(declared.default);
  return initial === '' ? declared.help : `${declared.help} (default ${initial})`;
}
