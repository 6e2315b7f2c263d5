import type { IncomingHttpHeaders } from 'node:http';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * For how many milliseconds an answer may be kept (RFC 9111, section 4.2, by a shared cache): by `s-maxage`, `max-age`,
 * `Expires`, or a tenth of its age. Zero without any of them, and for headers that cannot be read.
 */
export function freshMs(headers: IncomingHttpHeaders, nowMs: number): number {
  const { expires, date, 'last-modified': lastModified } = headers;
  const serverMs = date === undefined ? nowMs : dateMs(date);
  const modifiedMs = lastModified === undefined ? undefined : dateMs(lastModified);
  if (Number.isNaN(serverMs) || Number.isNaN(modifiedMs)) return 0;
  const seconds = directive(headers, 's-maxage') ?? directive(headers, 'max-age');
  if (seconds !== undefined) return seconds * 1000;
  const expiresMs = expires === undefined ? Number.NaN : dateMs(expires);
  if (!Number.isNaN(expiresMs)) return Math.max(0, expiresMs - serverMs);
  return modifiedMs === undefined ? 0 : Math.max(0, Math.min((nowMs - modifiedMs) / 10, dayMs));
}

/** A date in one of the forms of HTTP (RFC 9110, section 5.6.7), in milliseconds since 1970; NaN for other texts. */
function dateMs(text: string): number {
  return /^[A-Z][a-z]{2,8},? .*\d{2}:\d{2}:\d{2} (?:GMT|\d{4})$/.test(text) ? Date.parse(text) : Number.NaN;
}

const maxSeconds = 2 ** 31 - 1;

function directive({ 'cache-control': value = '' }: IncomingHttpHeaders, name: string): number | undefined {
  const found = value.split(',').map((part) => /^\s*([\w-]+)\s*=\s*"?(\d+)"?\s*$/.exec(part));
  const digits = found.find((match) => match?.[1]?.toLowerCase() === name)?.[2];
  return digits === undefined ? undefined : Math.min(Number(digits), maxSeconds);
}
