const leastWidth = 8;
const padding = 1;

/**
 * Rows of equally many cells, aligned as by Go's text/tabwriter with a minimal width of 8 and spaces; a comma ends each
 * cell but the last.
 */
export function tabTable(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length + 1 + padding), leastWidth),
  );
  return rows
    .map((row) =>
      row.map((cell, column) => (column === columns - 1 ? cell : `${cell},`.padEnd(widths[column] ?? 0))).join(''),
    )
    .map((line) => `${line}\n`)
    .join('');
}
