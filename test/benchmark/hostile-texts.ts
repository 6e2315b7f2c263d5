/** A text that repeats a unit. */
export interface HostileText {
  readonly unit: string;
  readonly text: (length: number) => string;
}

/** What no expression here takes; behind a run it makes the expression try again. */
const ends = ['', '\u0001', '\n'];
/** One of each class, and what expressions name by classes. */
const common = [
  'a',
  'Z',
  '0',
  ' ',
  '.',
  '-',
  '_',
  '/',
  '"',
  '\\',
  '%',
  ',',
  ':',
  '=',
  '(',
  '[',
  '{',
  '<',
  '\n',
  'é',
  '\ud800',
];

/** Texts of any length that may take an expression long: characters that it names, one or two, again and again. */
export function hostileTexts(literal: string): HostileText[] {
  const named = [...new Set(literal.replace(/^\/|\/[a-z]*$/g, '').replace(/\\[a-zA-Z]/g, ''))].filter(
    (character) => !'^$*+?|()[]{}'.includes(character) || literal.includes(`\\${character}`),
  );
  const singles = [...new Set([...named.slice(0, 12), ...common])];
  const pairs = named.slice(0, 6).flatMap((a) => [...named.slice(0, 6), 'a', '0', ' '].map((b) => a + b));
  const words = literal.match(/[a-zA-Z]{2,}/g) ?? [];
  const units = [...new Set([...singles, ...pairs, ...words])];
  const starts = ['', ...new Set(named.slice(0, 1))];
  return units.flatMap((unit) =>
    starts.flatMap((start) =>
      ends.map((end) => ({
        unit: `${start} ${unit} ${end}`,
        text: (length) => start + unit.repeat(length / unit.length) + end,
      })),
    ),
  );
}
