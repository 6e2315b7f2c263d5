import { hostileTexts } from './hostile-texts.ts';

/**
 * Short ones first: what doubles with each character never ends on long ones. What is linear takes a twentieth of the
 * time.
 */
const lengths = [
  { length: 22, mostMs: 10 },
  { length: 400, mostMs: 10 },
  { length: 10_000, mostMs: 20 },
] as const;

/**
 * A text over which a search by the expression takes longer than in proportion, each time: the machine may have been
 * busy.
 */
export function slowText(literal: string): { readonly unit: string; readonly ms: number } | undefined {
  const { source, flags } = expressionOf(literal);
  const expression = new RegExp(source, flags.includes('y') ? flags : `${flags.replace('g', '')}g`);
  for (const { unit, text } of hostileTexts(literal)) {
    for (const { length, mostMs } of lengths) {
      const long = text(length);
      if (measure(expression, long) <= mostMs) continue;
      const ms = Math.min(measure(expression, long), measure(expression, long));
      if (ms > mostMs) return { unit: `${length} characters of ${JSON.stringify(unit)}`, ms };
    }
  }
  return undefined;
}

function expressionOf(literal: string): { readonly source: string; readonly flags: string } {
  const end = literal.lastIndexOf('/');
  return { source: literal.slice(1, end), flags: literal.slice(end + 1) };
}

/** Processor time of a search through the whole text, as `replace` and `matchAll` make it. */
function measure(expression: RegExp, text: string): number {
  expression.lastIndex = 0;
  const began = process.threadCpuUsage();
  text.replace(expression, '');
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}
