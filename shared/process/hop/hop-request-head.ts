import { Buffer } from 'node:buffer';
import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import { FrameError } from '#shared/frames/frame-parser.ts';
import type { IncomingHeaders } from '#shared/request/exchange.ts';
import { eachHeaderLine } from './hop-protocol.ts';

/** The head of a request, as read from its frame. */
export interface HopRequestHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: IncomingHeaders;
  /** Names and values in turn, of the lines that requests share: the same list for the same lines. */
  readonly sharedHeaders: readonly string[];
  /** Those of this request alone. */
  readonly ownHeaders: readonly string[];
  readonly hasBody: boolean;
}

interface HeaderBlock {
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: readonly string[];
}

/**
 * A cache of parsed blocks of header lines: clients send the same headers again and again. Objects with a prototype are
 * copied far faster than those without.
 */
const known = new Map<string, HeaderBlock>();
const maxKnown = 1000;
const longestKnown = 4096;

/** Reads a `request` frame. Throws if the frame is malformed. */
export function readRequestHead(payload: Buffer): HopRequestHead {
  const ownEnd = 5 + payload.readUInt32BE(1);
  if (ownEnd > payload.length) throw new FrameError('a request frame that is cut off');
  const own = payload.toString('latin1', 5, ownEnd);
  const shared = blockOf(payload.toString('latin1', ownEnd, payload.length));
  const lineEnd = own.indexOf('\n');
  const space = own.indexOf(' ');
  if (lineEnd < 0 || space < 0 || space > lineEnd) throw new FrameError('a request frame without a request line');
  const headers: Record<string, string> = { ...shared.headers };
  const ownHeaders: string[] = [];
  eachHeaderLine(own, lineEnd + 1, (name, value) => {
    addHeader(headers, name, value);
    ownHeaders.push(name, value);
  });
  return {
    method: own.slice(0, space),
    target: own.slice(space + 1, lineEnd),
    headers,
    sharedHeaders: shared.raw,
    ownHeaders,
    hasBody: payload[0] === 1,
  };
}

function blockOf(lines: string): HeaderBlock {
  if (lines.length > longestKnown) return longBlock(lines);
  let block = known.get(lines);
  if (block !== undefined) return block;
  const headers: Record<string, string> = {};
  const raw: string[] = [];
  eachHeaderLine(lines, 0, (name, value) => {
    addHeader(headers, name, value);
    raw.push(name, value);
  });
  block = { headers, raw };
  if (known.size >= maxKnown) known.clear();
  known.set(lines, block);
  return block;
}

/**
 * With HPACK, a client can make a megabyte of header lines from some hundred bytes. So equal values share one string
 * here, and no string keeps the whole block of lines in memory.
 */
function longBlock(lines: string): HeaderBlock {
  const texts = new Map<string, string>();
  const own = (text: string): string => {
    let copy = texts.get(text);
    if (copy === undefined) texts.set(text, (copy = Buffer.from(text, 'latin1').toString('latin1')));
    return copy;
  };
  const headers: Record<string, string> = {};
  const raw: string[] = [];
  eachHeaderLine(lines, 0, (name, value) => {
    const [ownName, ownValue] = [own(name), own(value)];
    addHeader(headers, ownName, ownValue);
    raw.push(ownName, ownValue);
  });
  return { headers, raw };
}

/** Adds a header; repeated headers are joined as in node:http. */
function addHeader(headers: Record<string, string>, name: string, value: string): void {
  const key = name.toLowerCase();
  const present = getKey(headers, key);
  setKey(headers, key, present === undefined ? value : `${present}, ${value}`);
}
