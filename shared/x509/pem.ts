import { decodeBase64, Base64Error } from '#shared/apimachinery/bytes/base64.ts';

export interface PemBlock {
  readonly type: string;
  readonly hasHeaders: boolean;
  readonly bytes: Buffer;
}

interface Found {
  readonly block: PemBlock;
  /** The index at which to continue. */
  readonly end: number;
}

const beginMark = '-----BEGIN ';
const endMark = '\n-----END ';
const lineEnd = '-----';

/** The blocks of a PEM text as Go finds them (encoding/pem). Text between blocks and malformed blocks are ignored. */
export function* pemBlocks(text: string): Generator<PemBlock, undefined> {
  for (let found = nextBlock(text, 0); found !== undefined; found = nextBlock(text, found.end)) yield found.block;
}

/** The first END mark ends a block; of several BEGIN marks before it, the last one begins it. */
function nextBlock(text: string, from: number): Found | undefined {
  for (let start = from; ;) {
    const end = text.indexOf(endMark, start);
    if (end < 0) return undefined;
    // The search begins after the previous END mark, so that a text with thousands of END marks is not read again for
    // each.
    const begin = start + text.slice(start, end).lastIndexOf(beginMark);
    const beginsLine = begin >= start && (begin === start || text[begin - 1] === '\n');
    const found = beginsLine ? blockBetween(text, begin + beginMark.length, end) : undefined;
    if (found === 'cut off') return undefined;
    if (found !== undefined) return found;
    start = end + endMark.length;
  }
}

/** Undefined for a malformed block; `cut off` if its headers do not end. */
function blockBetween(text: string, from: number, end: number): Found | 'cut off' | undefined {
  const behindMark = end + endMark.length;
  const first = lineAt(text, from);
  if (!first.text.endsWith(lineEnd)) return undefined;
  let body = first.next;
  for (let line = lineAt(text, body); line.text.includes(':'); line = lineAt(text, body)) body = line.next;
  const hasHeaders = body > first.next;
  if (body >= text.length || (hasHeaders && body > behindMark)) return 'cut off';
  if (hasHeaders && body > end) return undefined;
  const type = first.text.slice(0, -lineEnd.length);
  const last = type + lineEnd;
  if (!text.startsWith(last, behindMark) || lineAt(text, behindMark + last.length).text !== '') return undefined;
  const bytes = bytesOf(text.slice(body, Math.max(body, end)));
  return bytes === undefined
    ? undefined
    : { block: { type, hasHeaders, bytes }, end: lineAt(text, behindMark - 1).next };
}

function bytesOf(base64: string): Buffer | undefined {
  try {
    return decodeBase64(base64.replaceAll(/[ \t\r\n]/g, ''));
  } catch (error) {
    if (error instanceof Base64Error) return undefined;
    throw error;
  }
}

/** The line at `from` without trailing blanks, and the index of the next line. */
function lineAt(text: string, from: number): { readonly text: string; readonly next: number } {
  const lineFeed = text.indexOf('\n', from);
  const end = lineFeed < 0 ? text.length : lineFeed > from && text[lineFeed - 1] === '\r' ? lineFeed - 1 : lineFeed;
  return { text: text.slice(from, endWithoutBlanks(text, from, end)), next: lineFeed < 0 ? text.length : lineFeed + 1 };
}

function endWithoutBlanks(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && (text[at - 1] === ' ' || text[at - 1] === '\t')) at--;
  return at;
}

/** One block in lines of 64 characters (RFC 7468). */
export function encodePem(type: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${type}-----\n${lines.join('\n')}\n-----END ${type}-----\n`;
}
