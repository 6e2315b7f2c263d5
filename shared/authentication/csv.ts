/**
 * The records of a CSV text (RFC 4180) as Go's encoding/csv reads them: empty lines are none, a quoted field may hold
 * commas, line ends and doubled quotes, spaces belong to their field. Linear in the length of the text.
 *
 * @throws Error in the words of that package, with line and column (in bytes, from 1), for a quote within a field that
 *   began without one, and for anything but a comma or the end of the line behind a closing quote
 */
export function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  for (let i = 0; i < lines.length;) {
    const [record, next] = lines[i] === '' ? [undefined, i + 1] : readRecord(lines, i);
    if (record !== undefined) records.push(record);
    i = next;
  }
  return records;
}

/** The record that begins with `lines[first]`, and the index of the line behind it. */
function readRecord(lines: readonly string[], first: number): [record: string[], next: number] {
  const record: string[] = [];
  let at = first;
  let line = lines[at] as string;
  let from = 0;
  for (;;) {
    if (line[from] === '"') {
      const parts: string[] = [];
      let begin = from + 1;
      for (;;) {
        const quote = line.indexOf('"', begin);
        if (quote < 0) {
          parts.push(line.slice(begin), '\n');
          const following = lines[at + 1];
          if (following === undefined) throw fault(first, at, line, line.length, misplaced);
          // Behind the last line end there is no line.
          if (following === '' && at + 2 === lines.length)
            throw fault(first, at, `${line}\n`, line.length + 1, misplaced);
          line = following;
          at++;
          begin = 0;
          continue;
        }
        parts.push(line.slice(begin, quote));
        begin = quote + 1;
        if (line[begin] !== '"') break;
        parts.push('"');
        begin++;
      }
      record.push(parts.join(''));
      if (begin < line.length && line[begin] !== ',') throw fault(first, at, line, begin - 1, misplaced);
      from = begin;
    } else {
      const comma = line.indexOf(',', from);
      const end = comma < 0 ? line.length : comma;
      const field = line.slice(from, end);
      const quote = field.indexOf('"');
      if (quote >= 0) throw fault(first, at, line, from + quote, 'bare " in non-quoted-field');
      record.push(field);
      from = end;
    }
    if (from >= line.length) return [record, at + 1];
    from++;
  }
}

const misplaced = 'extraneous or missing " in quoted-field';

function fault(first: number, at: number, line: string, column: number, what: string): Error {
  const where = `parse error on line ${at + 1}, column ${Buffer.byteLength(line.slice(0, column)) + 1}: ${what}`;
  return new Error(first === at ? where : `record on line ${first + 1}; ${where}`);
}
