import { sectionOrder } from './flag-sections.ts';
import { flagName, helpFlag, type Flag } from './flag-set.ts';

/** Columns before the sentences of a flag that stand below it. */
const indent = 16;

interface Row {
  readonly name: string;
  readonly head: string;
  readonly tail: string;
}

/**
 * `--help`: flags by section. On a terminal, sentences stand below their flag and are wrapped, as there; otherwise each
 * flag is one line, with its sentences in a column.
 * @param columns the width of the terminal; undefined for a file or pipe
 */
export function formatHelp(
  usage: string,
  table: Readonly<Record<string, unknown>>,
  columns: number | undefined = undefined,
): string {
  const flags = Object.entries({ ...table, help: helpFlag }) as [string, Flag<unknown>][];
  const sections = sectionOrder.map((section) => {
    const rows = flags
      .filter(([, declared]) => declared.section === section && declared.hidden !== true)
      .map(([key, declared]) => rowOf(flagName(key), declared));
    rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    return rows.length === 0 ? '' : `\n${section} flags:\n\n${formatRows(rows, columns)}`;
  });
  return `${usage}\n${sections.join('')}`;
}

function rowOf(name: string, declared: Flag<unknown>): Row {
  const short = declared.shorthand === undefined ? '      ' : `  -${declared.shorthand}, `;
  const type = declared.kind.typeName;
  const initial = declared.shownDefault ?? declared.kind.format(declared.default);
  return {
    name,
    head: `${short}--${name}${type === '' ? '' : ` ${type}`}`,
    tail: initial === '' ? declared.help : `${declared.help} (default ${initial})`,
  };
}

function formatRows(rows: readonly Row[], columns: number | undefined): string {
  if (columns !== undefined && columns >= indent + 24)
    return rows.map(({ head, tail }) => `${head}\n${wrap(tail, columns - indent)}`).join('');
  const width = Math.max(...rows.map((row) => row.head.length));
  return rows.map((row) => `${row.head.padEnd(width)}   ${row.tail}\n`).join('');
}

/** Indented lines of at most `width` columns; a longer word has a line of its own. */
function wrap(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('');
}
