import { toInt64, type Int64 } from './int64.ts';

/** Largest time that a Date can hold, in seconds. */
const maxDateSeconds = 8.64e12;
/** Dates repeat every 400 years. */
const cycleYears = 400;
const cycleSeconds = 12_622_780_800n;
/**
 * Go counts days from the March of a year before all others (`absoluteYears` in src/time/time.go), in which an int64 of
 * seconds wraps around.
 */
const unixToAbsolute = 62_135_596_800n + ((292_277_022_400n * 3_652_425n) / 10_000n + 306n) * 86_400n;

/** `2006-01-02T15:04:05` of the seconds since 1970, for each int64: years may have more digits, as Go prints them. */
export function civilText(seconds: Int64): string {
  if (typeof seconds === 'number' && Math.abs(seconds) <= maxDateSeconds) return textWithin(seconds, 0);
  const unix = BigInt.asUintN(64, BigInt(seconds) + unixToAbsolute) - unixToAbsolute;
  const rest = ((unix % cycleSeconds) + cycleSeconds) % cycleSeconds;
  return textWithin(Number(rest), Number((unix - rest) / cycleSeconds) * cycleYears);
}

/** Length of `2006-01-02T15:04:05.000Z`. */
const usualIsoLength = 24;

/** The text of seconds that a Date can hold, in a year so many later. */
function textWithin(seconds: number, laterYears: number): string {
  const date = new Date(seconds * 1000);
  const iso = date.toISOString();
  // The year has a sign or more digits where it is not between 0 and 9999.
  if (laterYears === 0 && iso.length === usualIsoLength) return iso.slice(0, -5);
  const year = date.getUTCFullYear() + laterYears;
  const digits = String(Math.abs(year)).padStart(4, '0');
  return `${year < 0 ? '-' : ''}${digits}${iso.slice(iso.indexOf('-', 1), -5)}`;
}

const form = /^(-?\d{4,})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)/;

/** The seconds of a text that {@link civilText} printed, whatever follows; undefined for any other text. */
export function secondsOfCivil(text: string): Int64 | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number);
  const cycles = Math.floor(year / cycleYears) - 5;
  const within = Date.UTC(year - cycles * cycleYears, month - 1, day, hour, minute, second) / 1000;
  return toInt64(BigInt(within) + BigInt(cycles) * cycleSeconds);
}
