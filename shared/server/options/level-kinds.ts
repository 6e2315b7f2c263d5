import { goQuote as quote } from '#shared/apimachinery/text/go-format.ts';
import { FlagValueError, intKind, type FlagKind } from './flag-kinds.ts';

/** How much is logged: an integer of 32 bits that is not negative. */
export const levelKind: FlagKind<number> = {
  typeName: 'Level',
  parse: (text) => parseLevel(text),
  format: (value) => intKind.format(value),
};

function parseLevel(text: string): number {
  if (!/^\d+$/.test(text)) throw new FlagValueError(`strconv.ParseUint: parsing ${quote(text)}: invalid syntax`);
  if (Number(text) >= 2 ** 31)
    throw new FlagValueError(`strconv.ParseUint: parsing ${quote(text)}: value out of range`);
  return Number(text);
}

/** Levels by source file: `pattern=N,pattern=N`. */
export const fileLevelsKind: FlagKind<readonly (readonly [pattern: string, level: number])[]> = {
  typeName: 'pattern=N,...',
  parse: (text, previous) => [
    ...(previous ?? []),
    ...text
      .split(',')
      .filter((item) => item !== '')
      .map(parseFileLevel),
  ],
  format: (value) => value.map(([pattern, level]) => `${pattern}=${level}`).join(),
};

function parseFileLevel(item: string): readonly [string, number] {
  const [pattern = '', level = '', ...more] = item.split('=');
  if (pattern === '' || level === '' || more.length > 0)
    throw new FlagValueError(`${quote(item)} does not have the pattern=N format`);
  try {
    return [pattern, parseLevel(level)];
  } catch (error) {
    throw new FlagValueError(`parsing verbosity in ${quote(item)}: ${(error as Error).message}`);
  }
}
