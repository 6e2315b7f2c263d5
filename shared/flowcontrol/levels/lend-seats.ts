import { divideSeats } from './divide-seats.ts';
import type { PriorityLevel } from './priority-level.ts';

/**
 * Divides the seats anew by what each level wanted in the period that ends now: levels lend what they do not use, and
 * borrow what others lend (KEP-1040, "Dispatching"; apiserver/pkg/util/flowcontrol/apf_controller.go).
 * @returns the share of its target that each level gets which is not at a bound, for metrics
 */
export function lendSeats(levels: readonly PriorityLevel[]): number {
  for (const level of levels) level.demand.endPeriod();
  const exempt = levels.filter(({ configuration }) => configuration.isExempt);
  const limited = levels.filter(({ configuration }) => !configuration.isExempt);
  const all = sumOf(levels, ({ nominalLimit }) => nominalLimit);
  const least = sumOf(limited, ({ minLimit }) => minLimit);
  const leastNow = sumOf(limited, leastCurrentLimit);
  for (const level of exempt) level.setCurrentLimit(Math.max(level.minLimit, level.demand.highWatermark));
  for (const level of limited) level.target = Math.max(leastCurrentLimit(level), level.demand.smoothed);
  // What levels without limits use is not there for the others.
  const rest = all - sumOf(exempt, ({ currentLimit }) => currentLimit);
  if (rest <= least) {
    for (const level of limited) level.setCurrentLimit(level.minLimit);
    return 0;
  }
  if (rest <= leastNow) {
    const part = (rest - least) / (leastNow - least);
    for (const level of limited)
      level.setCurrentLimit(level.minLimit + Math.round((leastCurrentLimit(level) - level.minLimit) * part));
    return 0;
  }
  const division = divideSeats(
    all,
    limited.map((level) => {
      const lower = leastCurrentLimit(level);
      return { lower, upper: level.maxLimit, target: level.target ?? lower };
    }),
  );
  for (const [i, level] of limited.entries())
    level.setCurrentLimit(Math.round(division?.seats[i] ?? level.currentLimit));
  return division?.fairShare ?? 0;
}

/** Between what it does not lend and its nominal limit, as much as it wanted at once in the last period. */
function leastCurrentLimit({ minLimit, nominalLimit, demand }: PriorityLevel): number {
  return Math.max(minLimit, Math.min(nominalLimit, demand.highWatermark));
}

function sumOf(levels: readonly PriorityLevel[], value: (level: PriorityLevel) => number): number {
  return levels.reduce((sum, level) => sum + value(level), 0);
}
