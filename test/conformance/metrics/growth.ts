import { setTimeout as pause } from 'node:timers/promises';
import type { Side } from '#test/compare/pair.ts';
import type { CountedRequest } from './requests.ts';
import { ask, metricsOf } from './side.ts';

/** Requests are counted when their handlers end, a little after their answers. */
const settleMs = 60;

type Counts = ReadonlyMap<string, number>;

/** How much the samples of some families grow by each request: by what it is, lines of a sample and its growth. */
export async function growthBy(
  side: Side,
  requests: readonly CountedRequest[],
  families: RegExp,
): Promise<Map<string, string[]>> {
  const grown = new Map<string, string[]>();
  let before = await countsOf(side, families);
  for (const asked of requests) {
    // A connection that breaks off is an answer, too.
    const { status } = await ask(side, asked).catch(() => ({ status: 0 }));
    await pause(settleMs);
    const after = await countsOf(side, families);
    const body = typeof asked.body === 'object' ? JSON.stringify(asked.body['metadata']) : '';
    grown.set(`${grown.size}. ${asked.method ?? 'GET'} ${asked.path} ${body}`, [
      // At a deadline the reference answers with 504 or breaks off, as it happens.
      ...(asked.path.includes('timeout=') ? [] : [`answered ${status}`]),
      ...growth(before, after),
    ]);
    before = after;
  }
  return grown;
}

/** The counts of samples, by family and labels. */
export async function countsOf(side: Side, families: RegExp): Promise<Counts> {
  const counts = new Map<string, number>();
  for (const [name, { values }] of await metricsOf(side))
    for (const [labels, count] of values) {
      const line = `${name} ${labels}`;
      if (families.test(line)) counts.set(line, count);
    }
  return counts;
}

/** What is more than before, sorted. */
export function growth(before: Counts, after: Counts): string[] {
  return [...after]
    .filter(([line, count]) => count !== (before.get(line) ?? 0))
    .map(([line, count]) => `${line} ${count - (before.get(line) ?? 0)}`)
    .sort();
}
