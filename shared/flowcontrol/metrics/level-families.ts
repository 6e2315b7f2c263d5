import type { PriorityLevel } from '#shared/flowcontrol/levels/priority-level.ts';
import type { PriorityLevels } from '#shared/flowcontrol/levels/priority-levels.ts';
import type { DispatchReadings } from '#shared/flowcontrol/queueset/progress-meter.ts';
import { inSeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import type { Family, Labels } from '#shared/observability/metrics/family.ts';
import { MetricsRegistry } from '#shared/observability/metrics/registry.ts';
import { familyPrefix } from './flow-families.ts';

/** Seats are divided anew that often. */
const divided = 10_000;
/** Limits that come from the configuration alone. */
const configured: ReadonlySet<string> = new Set([
  'nominal_limit_seats',
  'request_concurrency_limit',
  'lower_limit_seats',
  'upper_limit_seats',
]);

type Value = (level: PriorityLevel) => number | undefined;

const byLevel = ['priority_level'] as const;

const gauges: readonly (readonly [name: string, help: string, value: Value])[] = [
  [
    'nominal_limit_seats',
    '[BETA] Nominal number of execution seats configured for each priority level',
    (level) => level.nominalLimit,
  ],
  [
    'request_concurrency_limit',
    '[ALPHA] (Deprecated since 1.30.0) Seats of each priority level by its shares',
    (level) => level.nominalLimit,
  ],
  ['lower_limit_seats', '[ALPHA] Seats that each priority level does not lend', (level) => level.minLimit],
  ['upper_limit_seats', '[ALPHA] Seats of each priority level with all it may borrow', (level) => level.maxLimit],
  ['current_limit_seats', '[ALPHA] Seats of each priority level at present', (level) => level.currentLimit],
  [
    'demand_seats_high_watermark',
    '[ALPHA] The most seats that each level wanted at once in the last period',
    ({ demand }) => demand.highWatermark,
  ],
  [
    'demand_seats_average',
    '[ALPHA] Seats that each level wanted on average in the last period',
    ({ demand }) => demand.average,
  ],
  [
    'demand_seats_stdev',
    '[ALPHA] Standard deviation of the seats that each level wanted in the last period',
    ({ demand }) => demand.standardDeviation,
  ],
  [
    'demand_seats_smoothed',
    '[ALPHA] Seats that each level wanted, smoothed over periods',
    ({ demand }) => demand.smoothed,
  ],
  ['target_seats', '[ALPHA] Seats that each level should get', (level) => level.target],
  [
    'current_r',
    '[ALPHA] Progress of the virtual world at the last change',
    ({ queues }) => inSeatSeconds(queues.progress.reading),
  ],
  ['dispatch_r', '[ALPHA] Progress at the last dispatch', (level) => atDispatch(level, ({ reading }) => reading)],
  [
    'latest_s',
    '[ALPHA] Where the request that was dispatched last began in the virtual world',
    (level) => atDispatch(level, ({ start }) => start),
  ],
];

/** Families by level, and of the division of seats (apiserver/pkg/util/flowcontrol/metrics/metrics.go). */
export function levelFamilies(levels: PriorityLevels): readonly Family[] {
  const registry = new MetricsRegistry();
  for (const [name, help, value] of gauges) {
    const read = function* (): Iterable<readonly [Labels, number]> {
      for (const level of levels.all) {
        const present = value(level);
        if (present !== undefined) yield [[level.configuration.name], present];
      }
    };
    registry.gauges(familyPrefix + name, help, byLevel, read, { reset: configured.has(name) ? 'changes' : divided });
  }
  registry.gauge(
    `${familyPrefix}seat_fair_frac`,
    '[ALPHA] Share of its demand that a level gets which is at no bound',
    () => levels.fairShare,
  );
  addBounds(registry, levels);
  registry.add(epochs(levels));
  return registry.families();
}

function addBounds(registry: MetricsRegistry, levels: PriorityLevels): void {
  const add = (name: string, help: string, isDiscounted: boolean): void =>
    registry.gauges(`${familyPrefix}${name}`, help, [...byLevel, 'bound'], function* () {
      for (const { configuration, queues } of levels.all) {
        const readings = queues.progress.atDispatch;
        if (readings === undefined) continue;
        const { min, max } = isDiscounted ? readings.discounted : readings.starts;
        yield [[configuration.name, 'min'], inSeatSeconds(min)];
        yield [[configuration.name, 'max'], inSeatSeconds(max)];
      }
    });
  const what = 'Where the oldest requests of the queues begin in the virtual world, at the last dispatch';
  add('next_s_bounds', `[ALPHA] ${what}`, false);
  add('next_discounted_s_bounds', `[ALPHA] ${what}, without the work that is in progress`, true);
}

function atDispatch({ queues }: PriorityLevel, value: (readings: DispatchReadings) => number): number | undefined {
  const readings = queues.progress.atDispatch;
  return readings && inSeatSeconds(value(readings));
}

/** Levels whose meter was never wound back have no line, as in the reference. */
function epochs(levels: PriorityLevels): Family {
  return {
    name: `${familyPrefix}epoch_advance_total`,
    type: 'counter',
    help: '[ALPHA] How often the progress of the virtual world was wound back',
    labelNames: [...byLevel, 'success'],
    *samples() {
      for (const { configuration, queues } of levels.all)
        if (queues.progress.windings > 0)
          yield { labels: [configuration.name, 'true'], value: queues.progress.windings };
    },
  };
}
