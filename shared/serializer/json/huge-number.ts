import { endOfString } from './end-of-string.ts';

/** Only such a text can hold one: an exponent of three digits, or so many digits. */
const quickLook = /\d[eE]\+?\d{3}|\d{300}/;
const number = /["\d][\d.eE+-]*/g;

/**
 * The first number in a JSON text that is beyond float64, as it stands there. JSON.parse makes an infinity of it, which
 * no JSON can hold; Go refuses it.
 */
export function findHugeNumber(text: string): string | undefined {
  if (!quickLook.test(text)) return undefined;
  number.lastIndex = 0;
  for (let match = number.exec(text); match !== null; match = number.exec(text)) {
    const [found] = match;
    if (found.startsWith('"')) number.lastIndex = endOfString(text, match.index) ?? text.length;
    else if (!Number.isFinite(Number(found))) return text[match.index - 1] === '-' ? `-${found}` : found;
  }
  return undefined;
}

/** What Go's decoder says of it; `place` is where it was to go. */
export function hugeNumberText(number: string, place = 'value'): string {
  return `json: cannot unmarshal number ${number} into Go ${place} of type float64`;
}
