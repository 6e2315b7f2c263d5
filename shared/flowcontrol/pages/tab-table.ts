const leastWidth = 8;
const padding = 1;

/**
 * Rows of equally many cells, aligned as by Go's text/tabwriter with a minimal width of 8 and spaces; a comma ends each
 * cell but the last. Widths are in code points.
 */
export function tabTable(rows: readonly (readonly string[])[]): string {
  const columns = rows[0]?.length ?? 0;
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    rows.reduce((widest, row) => Math.max(widest, widthOf(row[column] ?? '') + 1 + padding), leastWidth),
  );
  return rows
    .map((row) =>
      row.map((cell, column) => (column === columns - 1 ? cell : padded(cell, widths[column] ?? 0))).join(''),
    )
    .map((line) => `${line}\n`)
    .join('');
}

function padded(cell: string, width: number): string {
  return `${cell},${' '.repeat(width - widthOf(cell) - 1)}`;
}

function widthOf(cell: string): number {
  let width = 0;
  for (const _ of cell) width++;
  return width;
}
