/** Only such a text can hold one: an exponent of three digits, or so many digits. */
const quickLook = /\d[eE]\+?\d{3}|\d{300}/;
/** Strings are passed over. */
const token = /"(?:[^"\\]|\\[^])*"|-?\d[\d.eE+-]*/g;

/**
 * The first number in a JSON text that is beyond float64, as it stands there. JSON.parse makes an infinity of it, which no
 * JSON can hold; Go refuses it.
 */
export function findHugeNumber(text: string): string | undefined {
  if (!quickLook.test(text)) return undefined;
  for (const [found] of text.matchAll(token)) if (!found.startsWith('"') && !Number.isFinite(Number(found))) return found;
  return undefined;
}

/** What Go's decoder says of it; `place` is where it was to go. */
export function hugeNumberText(number: string, place = 'value'): string {
  return `json: cannot unmarshal number ${number} into Go ${place} of type float64`;
}
