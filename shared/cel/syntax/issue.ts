/** One compile error; the offset is in UTF-16 units of the text, or -1 if it has no position. */
export interface Issue {
  readonly offset: number;
  readonly message: string;
}

/** The most issues that are printed; the number of the remaining ones follows. */
const maxIssues = 100;
/** The longest line that is shown under a message, in bytes of UTF-8. */
const longestSnippet = 16_384;

/** A line of a text, with the columns and snippets for the issues in it. */
class Line {
  readonly number: number;
  readonly #text: string;
  readonly #shown: string;
  /**
   * For a line with characters beyond ASCII: the column of each UTF-16 unit, and for each code point a mark as wide as
   * the code point.
   */
  #wide: { readonly columns: Uint32Array; readonly marks: string } | undefined;

  constructor(text: string, number: number, start: number, end: number) {
    this.#text = text.slice(start, end);
    this.number = number;
    const isPlain = isAscii.test(this.#text);
    this.#shown =
      this.#text.length > longestSnippet || (!isPlain && Buffer.byteLength(this.#text) > longestSnippet)
        ? ''
        : this.#text.replaceAll('\t', ' ');
    if (!isPlain) this.#wide = widths(this.#text, this.#shown !== '');
  }

  /** The column of a UTF-16 unit, in code points from 0. */
  columnAt(unit: number): number {
    return this.#wide?.columns[unit] ?? unit;
  }

  /** The line with a mark below it; empty if the line is too long. */
  snippet(column: number): string {
    if (this.#shown === '' && this.#text !== '') return '';
    const marks = this.#wide?.marks;
    const mark = marks?.[column] === wideDot ? '\uff3e' : '^';
    return `\n | ${this.#shown}\n | ${marks === undefined ? '.'.repeat(column) : marks.slice(0, column)}${mark}`;
  }
}

const isAscii = /^[\0-\x7f]*$/;
const wideDot = '\uff0e';

function widths(text: string, withMarks: boolean): { readonly columns: Uint32Array; readonly marks: string } {
  const columns = new Uint32Array(text.length + 1);
  let marks = '';
  for (let at = 0, column = 0; at < text.length; column++) {
    const point = text.codePointAt(at) ?? 0;
    columns[at++] = column;
    if (point > 0xffff) columns[at++] = column + 1;
    if (withMarks) marks += point > 0x7f ? wideDot : '.';
    columns[text.length] = column + 1;
  }
  return { columns, marks };
}

interface SourceLocation {
  readonly line: number;
  readonly column: number;
  readonly snippet: string;
}

const noPlace: SourceLocation = { line: -1, column: -1, snippet: '' };
/** The position in an empty text: ANTLR has no column for it. */
const emptyPlace: SourceLocation = { line: 1, column: -1, snippet: '' };

/** Prints all issues as cel-go does, in order of their positions, each with its line and a mark below the line. */
export function formatIssues(text: string, issues: readonly Issue[], description = '<input>'): string {
  const placeOf = sourceLocations(text);
  const reported = issues.slice(0, maxIssues).map(({ offset, message }) => ({ message, place: placeOf(offset) }));
  reported.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  const printed = reported.map(
    ({ place, message }) => `ERROR: ${description}:${place.line}:${place.column + 1}: ${message}${place.snippet}`,
  );
  if (issues.length > maxIssues) printed.push(`${issues.length - maxIssues} more errors were truncated`);
  return printed.join('\n');
}

function sourceLocations(text: string): (offset: number) => SourceLocation {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const lines = new Map<number, Line>();
  return (offset) => {
    if (offset < 0) return noPlace;
    if (text === '') return emptyPlace;
    let index = 0;
    for (let high = starts.length - 1; index < high;) {
      const middle = (index + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) index = middle;
      else high = middle - 1;
    }
    const start = starts[index] ?? 0;
    let line = lines.get(index);
    if (line === undefined)
      lines.set(index, (line = new Line(text, index + 1, start, (starts[index + 1] ?? text.length + 1) - 1)));
    const column = line.columnAt(offset - start);
    return { line: line.number, column, snippet: line.snippet(column) };
  };
}
