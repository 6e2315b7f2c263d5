export interface ByteRange {
  readonly start: number;
  readonly length: number;
}

/** `none`: the whole file is sent. `invalid`, `beyond`: refused with 416. */
export type RequestedRanges = readonly ByteRange[] | 'none' | 'invalid' | 'beyond';

const prefix = 'bytes=';
/** As Go's strconv.ParseInt reads them. */
const number = /^[+-]?\d+$/;
const maxInt64 = 2n ** 63n - 1n;

/**
 * The parts that a Range header requests of so many bytes (RFC 9110 14). Parts that are larger than the file together
 * are not sent, but the file.
 */
export function parseRanges(header: string, size: number): RequestedRanges {
  if (header === '') return 'none';
  if (!header.startsWith(prefix)) return 'invalid';
  const ranges: ByteRange[] = [];
  let beyond = false;
  for (const text of header.slice(prefix.length).split(',')) {
    if (text.trim() === '') continue;
    const range = parseRange(text, size);
    if (range === undefined) return 'invalid';
    if (range === 'beyond') beyond = true;
    else ranges.push(range);
  }
  if (beyond && ranges.length === 0) return size === 0 ? 'none' : 'beyond';
  const sum = ranges.reduce((total, { length }) => total + length, 0);
  return ranges.length === 0 || sum > size ? 'none' : ranges;
}

function parseRange(text: string, size: number): ByteRange | 'beyond' | undefined {
  const dash = text.indexOf('-');
  if (dash < 0) return undefined;
  const [first, last] = [text.slice(0, dash).trim(), text.slice(dash + 1).trim()];
  if (first === '') {
    const length = last.startsWith('-') ? undefined : parsePosition(last);
    if (length === undefined) return undefined;
    const sent = Math.min(length, size);
    return { start: size - sent, length: sent };
  }
  const start = parsePosition(first);
  if (start === undefined) return undefined;
  if (start >= size) return 'beyond';
  if (last === '') return { start, length: size - start };
  const end = parsePosition(last);
  if (end === undefined || end < start) return undefined;
  return { start, length: Math.min(end, size - 1) - start + 1 };
}

function parsePosition(text: string): number | undefined {
  if (!number.test(text)) return undefined;
  const position = BigInt(text.replace(/^\+/, ''));
  return position < 0n || position > maxInt64 ? undefined : Number(position);
}

/** The value of Content-Range. */
export function contentRange({ start, length }: ByteRange, size: number): string {
  return `bytes ${start}-${start + length - 1}/${size}`;
}
