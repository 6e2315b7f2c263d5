import type { FunctionDeclaration, Overload } from '#shared/cel/contract/function-declaration.ts';
import { durationType, intType, stringType, timestampType } from '#shared/cel/values/cel-type.ts';
import { civilTime, dayOfYear } from '#shared/cel/values/civil-time.ts';
import { CelError, int, type CelDuration, type CelTimestamp } from '#shared/cel/values/value.ts';
import { member } from './declare.ts';

type Field = (date: Date, timestamp: CelTimestamp) => number;

function timeField(name: string, id: string, field: Field, nanosecondsOfDuration?: bigint): FunctionDeclaration {
  const read = (timestamp: CelTimestamp, zone: string): number | CelError => {
    const date = civilTime(timestamp, zone);
    return date instanceof CelError ? date : field(date, timestamp);
  };
  const overloads: Overload[] = [
    member(`timestamp_to_${id}`, [timestampType], intType, {
      implementation: (timestamp: CelTimestamp) => read(timestamp, ''),
    }),
    member(
      id === 'seconds' ? 'timestamp_to_seconds_tz' : `timestamp_to_${id}_with_tz`,
      [timestampType, stringType],
      intType,
      { implementation: read },
    ),
  ];
  if (nanosecondsOfDuration !== undefined) {
    overloads.push(
      member(`duration_to_${id}`, [durationType], intType, {
        implementation: ({ nanoseconds }: CelDuration) => int(nanoseconds / nanosecondsOfDuration),
      }),
    );
  }
  return { name, overloads };
}

export const timeFunctions: readonly FunctionDeclaration[] = [
  timeField('getFullYear', 'year', (date) => date.getUTCFullYear()),
  timeField('getMonth', 'month', (date) => date.getUTCMonth()),
  timeField('getDayOfYear', 'day_of_year', dayOfYear),
  timeField('getDayOfMonth', 'day_of_month', (date) => date.getUTCDate() - 1),
  timeField('getDate', 'day_of_month_1_based', (date) => date.getUTCDate()),
  timeField('getDayOfWeek', 'day_of_week', (date) => date.getUTCDay()),
  timeField('getHours', 'hours', (date) => date.getUTCHours(), 3_600_000_000_000n),
  timeField('getMinutes', 'minutes', (date) => date.getUTCMinutes(), 60_000_000_000n),
  timeField('getSeconds', 'seconds', (date) => date.getUTCSeconds(), 1_000_000_000n),
  timeField('getMilliseconds', 'milliseconds', (_date, { nanos }) => Math.trunc(nanos / 1_000_000), 1_000_000n),
];
