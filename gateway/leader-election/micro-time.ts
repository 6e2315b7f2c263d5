import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { formatMicroTime, parseMicroTime } from '#shared/apimachinery/values/time.ts';

/** The time of a member in microseconds since 1970; undefined for one that is absent or no `metav1.MicroTime`. */
export function microsAt(object: JsonObject, member: string): number | undefined {
  const text = stringAt(object, member);
  if (text === '') return undefined;
  try {
    const { seconds, nanos } = parseMicroTime(text);
    return seconds * 1_000_000 + Math.floor(nanos / 1000);
  } catch {
    return undefined;
  }
}

/** Now, in microseconds since 1970: other servers and candidates write such times, too. */
export function nowMicros(): number {
  return Date.now() * 1000;
}

/** The `metav1.MicroTime` of a time in microseconds since 1970. */
export function microTime(micros: number): string {
  const seconds = Math.floor(micros / 1_000_000);
  return formatMicroTime({ seconds, nanos: (micros - seconds * 1_000_000) * 1000 });
}
