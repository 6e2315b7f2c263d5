import { goQuote } from './go-format.ts';
import { parseInt64 } from './label-selector-parser.ts';

/** `intstr.IntOrString` in JSON shape: a 32-bit integer or any string. */
export type IntOrString = number | string;

/** A string that is no percentage where one is asked for. */
export class IntOrStringError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'IntOrStringError';
  }
}

/** A number where the text is a 32-bit integer, else the text (`intstr.Parse`). */
export function parseIntOrString(text: string): IntOrString {
  const value = parseInt64(text);
  return value !== undefined && value === BigInt.asIntN(32, value) ? Number(value) : text;
}

/**
 * An absolute number or a percentage of `total` (`GetScaledValueFromIntOrPercent`).
 * @throws IntOrStringError with the reference's text
 */
export function scaledValue(value: IntOrString, total: number, roundUp: boolean): number {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  return roundUp ? Math.ceil((percent * total) / 100) : Math.floor((percent * total) / 100);
}

function parsePercent(text: string): number {
  if (!text.endsWith('%')) throw new IntOrStringError('invalid value for IntOrString: invalid type: string is not a percentage');
  const number = text.slice(0, -1);
  const value = parseInt64(number);
  if (value !== undefined) return Number(value);
  const reason = /^[+-]?[0-9]+$/.test(number) ? 'value out of range' : 'invalid syntax';
  throw new IntOrStringError(
    `invalid value for IntOrString: invalid value ${goQuote(text)}: strconv.Atoi: parsing ${goQuote(number)}: ${reason}`);
}
