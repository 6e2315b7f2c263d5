import { civilText, secondsOfCivil } from './civil-seconds.ts';
import type { Instant } from './time-parse.ts';
import { RFC3339, RFC3339_MICRO, parseByLayout } from './time-parse.ts';

export type { Instant } from './time-parse.ts';

/** Go's zero time (year 1), which metav1.Time writes as null. */
const ZERO_SECONDS = -62_135_596_800;
/** The same in milliseconds since 1970. */
export const zeroTimeMs = ZERO_SECONDS * 1000;

/** Parses a `metav1.Time`: RFC 3339, fractions accepted. @throws TimeError with Go's text */
export function parseTime(text: string): Instant {
  return parseByLayout(RFC3339, text);
}

/** Parses a `metav1.MicroTime`: RFC 3339 with exactly six digits of fraction. @throws TimeError with Go's text */
export function parseMicroTime(text: string): Instant {
  return parseByLayout(RFC3339_MICRO, text);
}

/** True for Go's zero time. */
export function isZeroTime(instant: Instant): boolean {
  return instant.seconds === ZERO_SECONDS && instant.nanos === 0;
}

/** `2006-01-02T15:04:05Z`; fractions are cut off. */
export function formatTime(seconds: number): string {
  return `${civilText(Math.floor(seconds))}Z`;
}

/** `2006-01-02T15:04:05.000000Z`; nanoseconds are cut off. */
export function formatMicroTime(instant: Instant): string {
  const micros = Math.floor(instant.nanos / 1000)
    .toString()
    .padStart(6, '0');
  return `${civilText(instant.seconds)}.${micros}Z`;
}

const CANONICAL = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$/;
const CANONICAL_MICRO =
  /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]\.[0-9]{6}Z$/;
const ZERO_PREFIX = '0001-01-01T00:00:00';

/**
 * The text that the reference returns for a `metav1.Time`: UTC, whole seconds; null for Go's zero time.
 * @throws TimeError with Go's text
 */
export function canonicalTime(text: string): string | null {
  if (CANONICAL.test(text) && !text.startsWith(ZERO_PREFIX)) return text;
  const instant = parseTime(text);
  return isZeroTime(instant) ? null : formatTime(instant.seconds);
}

/** As {@link canonicalTime}, for a `metav1.MicroTime`. @throws TimeError with Go's text */
export function canonicalMicroTime(text: string): string | null {
  if (CANONICAL_MICRO.test(text) && !text.startsWith(ZERO_PREFIX)) return text;
  const instant = parseMicroTime(text);
  return isZeroTime(instant) ? null : formatMicroTime(instant);
}

/**
 * Milliseconds since 1970 of a `metav1.Time`; null for Go's zero time.
 * @throws TimeError with Go's text
 */
export function parseTimeMs(text: string): number | null {
  if (CANONICAL.test(text) && !text.startsWith(ZERO_PREFIX)) return Date.parse(text);
  const instant = parseTime(text);
  return isZeroTime(instant) ? null : instant.seconds * 1000 + Math.floor(instant.nanos / 1e6);
}

/** Milliseconds since 1970 of a stored time, in any year; undefined for an absent or broken one. */
export function timeToMs(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const ms = Date.parse(text);
  if (!Number.isNaN(ms)) return ms;
  const seconds = secondsOfCivil(text);
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** The `metav1.Time` of a time in milliseconds since 1970. */
export function timeFromMs(ms: number): string {
  return formatTime(Math.floor(ms / 1000));
}
