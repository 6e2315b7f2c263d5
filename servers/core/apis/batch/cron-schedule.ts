// The five fields of a cron schedule as github.com/robfig/cron v3 reads them, which the reference uses.
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import { locationError } from './time-zone.ts';

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const fields: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];
const descriptors = ['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

/** The library's error message for a schedule, which may begin with a time zone; undefined for a valid one. */
export function scheduleError(schedule: string): string | undefined {
  const zone = /^(?:CRON_)?TZ=/.exec(schedule)?.[0];
  if (zone === undefined) return timesError(schedule);
  const end = schedule.indexOf(' ');
  if (end < 0) return 'invalid schedule format: runtime error: slice bounds out of range [:-1]';
  const location = schedule.slice(zone.length, end);
  const fault = locationError(location);
  return fault === undefined ? timesError(schedule.slice(end).trim()) : `provided bad location ${location}: ${fault}`;
}

function timesError(schedule: string): string | undefined {
  if (schedule.startsWith('@')) return descriptorError(schedule);
  const parts = schedule.split(/\s+/).filter((part) => part !== '');
  if (parts.length !== fields.length) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, bounds] of fields.entries()) {
    for (const range of (parts[index] ?? '').split(',')) {
      const error = range === '' ? undefined : rangeError(range, bounds);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}

function descriptorError(text: string): string | undefined {
  if (descriptors.includes(text)) return undefined;
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`;
  try {
    parseDuration(text.slice('@every '.length));
    return undefined;
  } catch (error) {
    return `failed to parse duration ${text}: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function rangeError(expression: string, bounds: Bounds): string | undefined {
  const [range = '', step, ...more] = expression.split('/');
  const [low = '', high, ...rest] = range.split('-');
  if (rest.length > 0) return `too many hyphens: ${expression}`;
  if (more.length > 0) return `too many slashes: ${expression}`;
  const open = low === '*' || low === '?';
  const start = open ? bounds.min : numberOf(low, bounds);
  if (typeof start === 'string') return start;
  const stop = open
    ? bounds.max
    : high === undefined
      ? step === undefined
        ? start
        : bounds.max
      : numberOf(high, bounds);
  if (typeof stop === 'string') return stop;
  const size = step === undefined ? 1 : numberOf(step, { ...bounds, names: [] });
  if (typeof size === 'string') return size;
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${expression}`;
  if (stop > bounds.max) return `end of range (${stop}) above maximum (${bounds.max}): ${expression}`;
  if (start > stop) return `beginning of range (${start}) beyond end of range (${stop}): ${expression}`;
  return size === 0 ? `step of range should be a positive number: ${expression}` : undefined;
}

/** The number, or the error message. */
function numberOf(text: string, bounds: Bounds): number | string {
  const named = bounds.names.indexOf(text.toLowerCase());
  if (named >= 0) return named + bounds.min;
  if (!/^[+-]?\d+$/.test(text))
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`;
  const number = Number(text);
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number;
}
