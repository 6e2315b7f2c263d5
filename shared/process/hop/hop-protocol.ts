import type { Buffer } from 'node:buffer';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import { addHeader } from '#shared/request/header-values.ts';

/**
 * The hop between a gateway and a backend: many exchanges over one connection, so that all frames of one turn of the
 * event loop are sent in one write. The gateway asks for it on the internal listener with an HTTP/1.1 upgrade to
 * {@link hopUpgrade}; afterwards both sides speak frames (`shared/frames`). The id of a frame is the number of the
 * exchange, its flags are 0, and by its type the payload is:
 *
 *   request   u8 1 if a body follows · u32 length · `METHOD target\n` and header lines of this request · header lines
 *             that a client's next request is likely to have, too, with the identity (parsed once)
 *   data      bytes of a body
 *   same      the bytes of the connection's last `data` once more, for this exchange and those of the payload (u32 each):
 *             an event goes to many watches
 *   end       the body is complete; trailer lines
 *   reset     the exchange is over without a complete answer; u8 1 if it was never begun
 *   window    u32 more bytes of body that the sender of this frame takes
 *   head      u16 status · header lines: the answer's body follows
 *   note      a message of the backend before the answer ends: for the audit events of the request
 *             (`shared/audit/material`), or that a watch has begun (`shared/request/watch-start.ts`)
 *   whole     u16 status · u32 length · header lines · body: the whole answer
 *
 * The body of a request with `expect: 100-continue` is sent only after the first `window` frame for it, which may be of
 * 0 bytes: the backend has begun to read it.
 *
 * Header lines are `name: value\r\n` in Latin-1. Only the gateway opens exchanges, with rising numbers. Frames of an
 * exchange that is over are ignored.
 */
export const hopFrame = {
  request: 1,
  data: 2,
  end: 4,
  reset: 5,
  window: 6,
  head: 7,
  whole: 8,
  note: 9,
  // 3 named a single exchange: a peer that knows that one only must fail, not lose events.
  same: 10,
} as const;

export const hopUpgrade = 'quarterdeck-hop';

/** Bytes of a body that may be in transit without a `window` frame of the receiver, in either direction. */
export const hopWindowBytes = 256 * 1024;

/**
 * The window of an answer of which the client has read nothing yet; it grows to {@link hopWindowBytes} as the client
 * reads. So even many clients that read nothing occupy little memory.
 */
export const hopFirstAnswerBytes = 64 * 1024;

/** The largest piece of a body in one frame, so that other exchanges get their turn. */
export const hopPieceBytes = 64 * 1024;

/** Largest frame. Heads of requests are bounded by the limits of the public listener, bodies are sent in pieces. */
export const maxHopFrameBytes = 4 * 1024 * 1024;

/** Answers up to this size are sent as one frame. */
export const wholeBytes = 32 * 1024;

/** Calls `found` for each exchange that a `same` frame is for. */
export function eachRepetition(id: number, payload: Buffer, found: (id: number) => void): void {
  found(id);
  for (let at = 0; at + 4 <= payload.length; at += 4) found(payload.readUInt32BE(at));
}

/** Calls `found` for each header line. The text must be valid: written by this protocol, or checked before. */
export function eachHeaderLine(lines: string, start: number, found: (name: string, value: string) => void): void {
  // Position of the next `: `. It is kept across lines without one, so that the text is not searched again for each
  // line.
  let colon = -1;
  for (let at = start; at < lines.length;) {
    let end = lines.indexOf('\r\n', at);
    if (end < 0) end = lines.length;
    if (colon < at) colon = lines.indexOf(': ', at);
    if (colon < 0) return;
    if (colon > at && colon < end) found(lines.slice(at, colon), lines.slice(colon + 2, end));
    at = end + 2;
  }
}

/**
 * Header lines of an answer; a list of values becomes one line for each value. Throws for characters that would break
 * the lines.
 */
export function headerLines(headers: OutgoingHeaders): string {
  let lines = '';
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined) continue;
    if (typeof value === 'object') for (const one of value) lines += headerLine(name, one);
    else lines += headerLine(name, typeof value === 'number' ? String(value) : value);
  }
  return lines;
}

function headerLine(name: string, value: string): string {
  // Characters beyond Latin-1 would lose their high byte, and could become a line break by that.
  if (/[^\t\x20-\x7e\x80-\xff]/.test(value)) throw new Error(`header ${name} holds a character that headers cannot`);
  return `${name}: ${value}\r\n`;
}

const known = new Map<string, Readonly<OutgoingHeaders>>();
const maxKnown = 500;

/**
 * Reads header lines. Heads of answers are much alike, so parsed ones are cached: equal lines give the same object,
 * which nobody may change.
 */
export function readHeaderLines(lines: string): Readonly<OutgoingHeaders> {
  let headers = known.get(lines);
  if (headers === undefined) {
    headers = parseHeaderLines(lines);
    if (known.size >= maxKnown) known.clear();
    if (lines.length < 1024) known.set(lines, headers);
  }
  return headers;
}

function parseHeaderLines(lines: string): OutgoingHeaders {
  const headers: OutgoingHeaders = {};
  eachHeaderLine(lines, 0, (name, value) => addHeader(headers, name, value));
  return headers;
}
