import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { CelError, type CelTimestamp } from './value.ts';

/** The local date and time of a timestamp in a time zone: the UTC fields of the returned Date hold the local values. */
export function civilTime(timestamp: CelTimestamp, zone: string): Date | CelError {
  const { seconds } = timestamp;
  const colon = zone.indexOf(':');
  if (colon >= 0) {
    const hours = atoi(zone.slice(0, colon));
    const minutes = atoi(zone.slice(colon + 1));
    if (typeof hours !== 'number') return hours;
    if (typeof minutes !== 'number') return minutes;
    return new Date((seconds + (hours * 60 + (zone.startsWith('-') ? -minutes : minutes)) * 60) * 1000);
  }
  if (zone === '' || zone === 'UTC') return new Date(seconds * 1000);
  const format = formatOf(zone);
  return format === undefined ? new CelError(`unknown time zone ${zone}`) : inZone(format, seconds);
}

function atoi(text: string): number | CelError {
  if (!/^[+-]?[0-9]+$/.test(text)) return new CelError(`strconv.Atoi: parsing ${goQuote(text)}: invalid syntax`);
  const value = Number(text);
  return Math.abs(value) < 2 ** 53 ? value : new CelError(`strconv.Atoi: parsing ${goQuote(text)}: value out of range`);
}

/** The formats by time zone. Only existing zones are cached, of which there are a few hundred. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat | undefined {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(zone)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    if (formats.size < 1000) formats.set(zone, format);
    return format;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function inZone(format: Intl.DateTimeFormat, seconds: number): Date {
  const fields = new Map(format.formatToParts(new Date(seconds * 1000)).map(({ type, value }) => [type, value]));
  const field = (name: Intl.DateTimeFormatPartTypes): number => Number(fields.get(name));
  const date = new Date(0);
  date.setUTCFullYear(
    fields.get('era')?.startsWith('B') === true ? 1 - field('year') : field('year'),
    field('month') - 1,
    field('day'),
  );
  date.setUTCHours(field('hour'), field('minute'), field('second'));
  return date;
}

export function dayOfYear(date: Date): number {
  const first = new Date(date.getTime());
  first.setUTCMonth(0, 1);
  return Math.round((date.getTime() - first.getTime()) / 86_400_000);
}
