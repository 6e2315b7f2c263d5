import type { Buffer } from 'node:buffer';
import { quote } from '#shared/apimachinery/json/json-punctuation.ts';
import { UnexpectedJson } from './message-shape.ts';

/** Length of `"2006-01-02T15:04:05Z"` with its quotes. */
export const timeLength = 22;
const letterZ = 0x5a;

/** Seconds since the epoch of the time at a position of the JSON. */
export function secondsAt(json: Buffer, position: number): number {
  if (
    json[position] !== quote ||
    json[position + timeLength - 1] !== quote ||
    json[position + timeLength - 2] !== letterZ
  )
    throw new UnexpectedJson();
  const year = twoDigits(json, position + 1) * 100 + twoDigits(json, position + 3);
  const day = Date.UTC(year, twoDigits(json, position + 6) - 1, twoDigits(json, position + 9)) / 1000;
  const seconds =
    day + twoDigits(json, position + 12) * 3600 + twoDigits(json, position + 15) * 60 + twoDigits(json, position + 18);
  // Date.UTC reads years below 100 as years of the 20th century.
  if (seconds < 0 || year < 100) throw new UnexpectedJson();
  return seconds;
}

function twoDigits(json: Buffer, at: number): number {
  const high = (json[at] as number) - 0x30;
  const low = (json[at + 1] as number) - 0x30;
  if (!(high >= 0 && high <= 9 && low >= 0 && low <= 9)) throw new UnexpectedJson();
  return high * 10 + low;
}
