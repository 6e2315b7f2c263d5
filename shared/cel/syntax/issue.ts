/** What is wrong with an expression; the offset is in UTF-16 units of the text, or -1 where it has no place. */
export interface Issue {
  readonly offset: number;
  readonly message: string;
}

/** How many issues are told; the number of the others follows. */
const mostIssues = 100;
/** Longest line that is shown under a message, in bytes of UTF-8. */
const longestSnippet = 16_384;

interface Place {
  readonly line: number;
  /** In code points, from 0. */
  readonly column: number;
  readonly start: number;
}

const noPlace: Place = { line: -1, column: -1, start: 0 };

/** All issues as cel-go prints them, in order of their places, each with its line and a mark below it. */
export function formatIssues(text: string, issues: readonly Issue[], description = '<input>'): string {
  const lines = lineStarts(text);
  const told = issues.slice(0, mostIssues).map(({ offset, message }) => ({ message, place: placeOf(text, lines, offset) }));
  told.sort((a, b) => a.place.line - b.place.line || a.place.column - b.place.column);
  const printed = told.map(({ place, message }) => `ERROR: ${description}:${place.line}:${place.column + 1}: ${message}${snippet(text, lines, place)}`);
  if (issues.length > mostIssues) printed.push(`${issues.length - mostIssues} more errors were truncated`);
  return printed.join('\n');
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function placeOf(text: string, lines: readonly number[], offset: number): Place {
  if (offset < 0) return noPlace;
  // The end of an empty text has no column in ANTLR.
  if (text === '') return { line: 1, column: -1, start: 0 };
  let line = 0;
  for (let high = lines.length - 1; line < high;) {
    const middle = (line + high + 1) >> 1;
    if ((lines[middle] ?? 0) <= offset) line = middle;
    else high = middle - 1;
  }
  const start = lines[line] ?? 0;
  return { line: line + 1, column: codePointsBetween(text, start, offset), start };
}

function codePointsBetween(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; count++) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return count;
}

function snippet(text: string, lines: readonly number[], place: Place): string {
  if (place.line < 1 || text.length === 0) return '';
  const next = lines[place.line];
  const line = text.slice(place.start, next === undefined ? text.length : next - 1).replaceAll('\t', ' ');
  if (Buffer.byteLength(line) > longestSnippet) return '';
  const points = Array.from(line);
  const marks = points.slice(0, place.column).map((point) => ((point.codePointAt(0) ?? 0) > 0x7f ? '\uff0e' : '.'));
  const marked = points[place.column];
  return `\n | ${line}\n | ${marks.join('')}${marked !== undefined && (marked.codePointAt(0) ?? 0) > 0x7f ? '\uff3e' : '^'}`;
}
