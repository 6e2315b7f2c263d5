/**
 * The records of a CSV text (RFC 4180) as Go's encoding/csv reads them: empty lines are skipped, a quoted field may
 * hold commas, line ends and doubled quotes, spaces belong to their field. Linear in the length of the text.
 *
 * @throws Error in the words of that package, with line and column (in bytes, from 1), for a quote within a field that
 *   began without one, and for anything but a comma or the end of the line behind a closing quote
 */
export function parseCsv(text: string): string[][] {
  const reader = new RecordReader(text);
  const records: string[][] = [];
  while (reader.hasRecord()) records.push(reader.record());
  return records;
}

const misplacedQuote = 'extraneous or missing " in quoted-field';
const bareQuote = 'bare " in non-quoted-field';

class RecordReader {
  readonly #lines: readonly string[];
  /** Index of the current line, and of the next character in it. */
  #at = 0;
  #column = 0;
  /** Index of the line in which the record began. */
  #first = 0;

  constructor(text: string) {
    this.#lines = text.replaceAll('\r\n', '\n').split('\n');
  }

  /** Goes to the next line that is not empty; false if there is none. */
  hasRecord(): boolean {
    while (this.#lines[this.#at] === '') this.#at++;
    return this.#at < this.#lines.length;
  }

  record(): string[] {
    this.#first = this.#at;
    this.#column = 0;
    const fields: string[] = [];
    for (;;) {
      fields.push(this.#line[this.#column] === '"' ? this.#quoted() : this.#plain());
      if (this.#column >= this.#line.length) break;
      this.#column++;
    }
    this.#at++;
    return fields;
  }

  get #line(): string {
    return this.#lines[this.#at] ?? '';
  }

  #plain(): string {
    const comma = this.#line.indexOf(',', this.#column);
    const field = this.#line.slice(this.#column, comma < 0 ? this.#line.length : comma);
    const quote = field.indexOf('"');
    if (quote >= 0) throw this.#fault(this.#column + quote, bareQuote);
    this.#column += field.length;
    return field;
  }

  #quoted(): string {
    const parts: string[] = [];
    this.#column++;
    for (;;) {
      const quote = this.#line.indexOf('"', this.#column);
      if (quote < 0) {
        parts.push(this.#line.slice(this.#column), '\n');
        this.#goOnInNextLine();
        continue;
      }
      parts.push(this.#line.slice(this.#column, quote));
      this.#column = quote + 1;
      if (this.#line[this.#column] !== '"') break;
      parts.push('"');
      this.#column++;
    }
    if (this.#column < this.#line.length && this.#line[this.#column] !== ',')
      throw this.#fault(this.#column - 1, misplacedQuote);
    return parts.join('');
  }

  #goOnInNextLine(): void {
    const next = this.#lines[this.#at + 1];
    if (next === undefined) throw this.#fault(this.#line.length, misplacedQuote);
    // No line follows the last line end; the line end itself counts as a column.
    if (next === '' && this.#at + 2 === this.#lines.length) throw this.#fault(this.#line.length + 1, misplacedQuote);
    this.#at++;
    this.#column = 0;
  }

  /**
   * `column`: the index of a character in the line; the length of the line means its end, one more means behind the
   * line end.
   */
  #fault(column: number, what: string): Error {
    const bytes = Buffer.byteLength(this.#line.slice(0, column)) + Math.max(0, column - this.#line.length);
    const where = `parse error on line ${this.#at + 1}, column ${bytes + 1}: ${what}`;
    return new Error(this.#first === this.#at ? where : `record on line ${this.#first + 1}; ${where}`);
  }
}
