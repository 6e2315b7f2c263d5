import type { IncomingHttpHeaders } from 'node:http';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * For how many milliseconds an answer may be kept (RFC 9111, section 4.2, by a shared cache): by `s-maxage`, `max-age`,
 * `Expires`, or a tenth of its age. Zero without any of them, and for headers that cannot be read.
 */
export function freshMs(headers: IncomingHttpHeaders, nowMs: number): number {
  const { expires, date, 'last-modified': lastModified } = headers;
  const serverMs = date === undefined ? nowMs : Date.parse(date);
  const modifiedMs = lastModified === undefined ? undefined : Date.parse(lastModified);
  if (Number.isNaN(serverMs) || Number.isNaN(modifiedMs)) return 0;
  const seconds = directive(headers, 's-maxage') ?? directive(headers, 'max-age');
  if (seconds !== undefined) return seconds * 1000;
  const expiresMs = expires === undefined ? Number.NaN : Date.parse(expires);
  if (!Number.isNaN(expiresMs)) return Math.max(0, expiresMs - serverMs);
  return modifiedMs === undefined ? 0 : Math.max(0, Math.min((nowMs - modifiedMs) / 10, dayMs));
}

const maxSeconds = 2 ** 31 - 1;

function directive({ 'cache-control': value = '' }: IncomingHttpHeaders, name: string): number | undefined {
  const found = value.split(',').map((part) => /^\s*([\w-]+)\s*=\s*"?(\d+)"?\s*$/.exec(part));
  const digits = found.find((match) => match?.[1]?.toLowerCase() === name)?.[2];
  return digits === undefined ? undefined : Math.min(Number(digits), maxSeconds);
}
