import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { isSliced, sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { quoteJson } from './go-text.ts';

/** A text with more characters is printed piece by piece: one of 3 MB takes 10 ms. */
const longText = 64 * 1024;
const pieceLength = 16 * 1024;

/** Whether a value is a string that takes long to print. */
export function isLongText(value: JsonValue): value is string {
  return typeof value === 'string' && value.length > longText;
}

/** The content between the quotes of the literal that `quoteJson` makes, in pieces; for a text of any length. */
export function* quotedPieces(text: string): Generator<string, void> {
  for (let at = 0; at < text.length;) {
    const end = pieceEnd(text, at);
    yield quoteJson(text.slice(at, end)).slice(1, -1);
    at = end;
  }
}

/** The literal that `quoteJson` makes, for long texts. */
export function* quoteJsonInSteps(text: string): Steps<string> {
  if (!isLongText(text) || !isSliced()) return quoteJson(text);
  const pieces: string[] = ['"'];
  for (const piece of quotedPieces(text)) {
    pieces.push(piece);
    if (sliceIsOver()) yield;
  }
  pieces.push('"');
  return pieces.join('');
}

/** A position to cut at, not within a surrogate pair. */
function pieceEnd(text: string, at: number): number {
  const end = Math.min(at + pieceLength, text.length);
  const last = text.charCodeAt(end - 1);
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end;
}
