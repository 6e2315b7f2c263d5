import { Buffer } from 'node:buffer';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';

const pieceLength = 32 * 1024;

/** The text with the letters A to Z in lower case; all other characters stay. */
export function lowerAscii(text: string): Steps<string> {
  return withCase(text, (ascii) => ascii.toLowerCase(), 0x41, 0x20);
}

/** The text with the letters a to z in upper case; all other characters stay. */
export function upperAscii(text: string): Steps<string> {
  return withCase(text, (ascii) => ascii.toUpperCase(), 0x61, -0x20);
}

function* withCase(text: string, ofAscii: (ascii: string) => string, first: number, by: number): Steps<string> {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += pieceLength) {
    const piece = text.slice(at, at + pieceLength);
    // Each character beyond ASCII takes more UTF-8 bytes than UTF-16 units, so equal lengths mean that all are ASCII.
    pieces.push(Buffer.byteLength(piece) === piece.length ? ofAscii(piece) : withMoved(piece, first, by));
    if (sliceIsOver()) yield;
  }
  return pieces.join('');
}

/**
 * Adds `by` to the 26 letters from `first` on. It works on UTF-16 bytes, as a regular expression takes 20 times as long
 * for a text of megabytes.
 */
function withMoved(text: string, first: number, by: number): string {
  const units = Buffer.from(text, 'utf16le');
  for (let at = 0; at < units.length; at += 2) {
    const unit = units[at] as number;
    if (unit >= first && unit < first + 26 && units[at + 1] === 0) units[at] = unit + by;
  }
  return units.toString('utf16le');
}
