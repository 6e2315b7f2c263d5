import { endOfString } from './end-of-string.ts';

/** Only a text with an exponent of three digits, or with this many digits, can have a number beyond float64. */
const mayBeHuge = /\d[eE]\+?\d{3}|\d{300}/;
const number = /["\d][\d.eE+-]*/g;

/**
 * The text of the first number in a JSON text that is beyond float64. JSON.parse reads it as infinity, which JSON
 * cannot represent; Go refuses it.
 */
export function findHugeNumber(text: string): string | undefined {
  if (!mayBeHuge.test(text)) return undefined;
  number.lastIndex = 0;
  for (let match = number.exec(text); match !== null; match = number.exec(text)) {
    const [found] = match;
    if (found.startsWith('"')) number.lastIndex = endOfString(text, match.index) ?? text.length;
    else if (!Number.isFinite(Number(found))) return text[match.index - 1] === '-' ? `-${found}` : found;
  }
  return undefined;
}

/** The error of Go's decoder for such a number; `place` is the decoding target. */
export function hugeNumberText(number: string, place = 'value'): string {
  return `json: cannot unmarshal number ${number} into Go ${place} of type float64`;
}
