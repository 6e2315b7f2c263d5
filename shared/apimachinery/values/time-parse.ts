import { bytesOfText } from '#shared/apimachinery/text/byte-text.ts';

/** A moment: whole seconds since 1970 (negative before) and nanoseconds within the second. */
export interface Instant {
  readonly seconds: number;
  readonly nanos: number;
}

/** A time that cannot be understood; the message is Go's. */
export class TimeError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TimeError';
  }
}

export const RFC3339 = '2006-01-02T15:04:05Z07:00';
export const RFC3339_MICRO = '2006-01-02T15:04:05.000000Z07:00';

interface Fields {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
  nanos: number;
  offset: number;
}

/** Reads the layout element by element with Go's leniencies (one digit of hours, any fraction) and Go's errors. */
class TimeReader {
  readonly #layout: string;
  readonly #whole: string;
  #rest: string;
  readonly fields: Fields = { year: 0, month: 0, day: 0, hour: 0, minute: 0, second: 0, nanos: 0, offset: 0 };

  constructor(layout: string, text: string) {
    this.#layout = layout;
    // Go cuts bytes, not characters.
    this.#whole = bytesOfText(text);
    this.#rest = this.#whole;
  }

  read(): Fields {
    const { fields } = this;
    fields.year = Number(this.#match(/^[0-9]{4}/, '2006'));
    this.#skip('-');
    fields.month = this.#number('01', 'month', 1, 12);
    this.#skip('-');
    fields.day = Number(this.#match(/^[0-9]{2}/, '02'));
    this.#skip('T');
    fields.hour = this.#number('15', 'hour', 0, 23);
    this.#skip(':');
    fields.minute = this.#number('04', 'minute', 0, 59);
    this.#skip(':');
    fields.second = this.#number('05', 'second', 0, 59);
    this.#fraction();
    this.#zone();
    if (this.#rest !== '') throw this.#failure(`: extra text: ${quoteBytes(this.#rest)}`);
    if (fields.day < 1 || fields.day > daysIn(fields.year, fields.month)) throw this.#failure(': day out of range');
    return fields;
  }

  #failure(message: string): TimeError {
    return new TimeError(`parsing time ${quoteBytes(this.#whole)}${message}`);
  }

  #cannot(element: string, at: string): TimeError {
    return this.#failure(` as ${quoteBytes(this.#layout)}: cannot parse ${quoteBytes(at)} as ${quoteBytes(element)}`);
  }

  #skip(literal: string): void {
    if (!this.#rest.startsWith(literal)) throw this.#cannot(literal, this.#rest);
    this.#rest = this.#rest.slice(literal.length);
  }

  #match(pattern: RegExp, element: string): string {
    const found = pattern.exec(this.#rest)?.[0];
    if (found === undefined) throw this.#cannot(element, this.#rest);
    this.#rest = this.#rest.slice(found.length);
    return found;
  }

  #number(element: string, name: string, low: number, high: number): number {
    const value = Number(this.#match(element === '15' ? /^[0-9]{1,2}/ : /^[0-9]{2}/, element));
    if (value < low || value > high) throw this.#failure(`: ${name} out of range`);
    return value;
  }

  #fraction(): void {
    const exact = this.#layout === RFC3339_MICRO;
    const digits = (exact ? /^[.,]([0-9]{6})/ : /^[.,]([0-9]+)/).exec(this.#rest)?.[1];
    if (digits === undefined) {
      if (exact) throw this.#cannot('.000000', this.#rest);
      return;
    }
    this.#rest = this.#rest.slice(digits.length + 1);
    this.fields.nanos = Number(digits.slice(0, 9).padEnd(9, '0'));
  }

  #zone(): void {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return;
    }
    const match = /^([^]{1})([0-9]{2}):([0-9]{2})/.exec(this.#rest);
    if (match === null) throw this.#cannot('Z07:00', this.#rest);
    const at = this.#rest;
    this.#rest = at.slice(6);
    const hours = Number(match[2]);
    const minutes = Number(match[3]);
    // Go allows 24 hours and 60 minutes here. When both are wrong it names the minute.
    if (minutes > 60) throw this.#failure(': time zone offset minute out of range');
    if (hours > 24) throw this.#failure(': time zone offset hour out of range');
    if (match[1] !== '+' && match[1] !== '-') throw this.#cannot('Z07:00', at);
    this.fields.offset = (hours * 60 + minutes) * 60 * (match[1] === '-' ? -1 : 1);
  }
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Quoting of Go's time package: bytes above ASCII and control characters as `\xNN`. Takes a string of bytes (latin1).
 */
export function quoteBytes(bytes: string): string {
  const escaped = bytes.replace(/["\\]|[^ -\u007f]/g, (char) =>
    char === '"' || char === '\\' ? `\\${char}` : `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
  return `"${escaped}"`;
}

/** Parses by one of the two layouts. @throws TimeError with Go's text */
export function parseByLayout(layout: string, text: string): Instant {
  const { year, month, day, hour, minute, second, nanos, offset } = new TimeReader(layout, text).read();
  // Date.UTC reads years below 100 as 19xx.
  const date = new Date(Date.UTC(2000, month - 1, day, hour, minute, second));
  date.setUTCFullYear(year, month - 1, day);
  return { seconds: date.getTime() / 1000 - offset, nanos };
}
