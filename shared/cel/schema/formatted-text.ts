import { Base64Error, decodeBase64 } from '#shared/apimachinery/bytes/base64.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { parseDuration } from '#shared/apimachinery/values/duration.ts';
import { parseByLayout, RFC3339, TimeError } from '#shared/apimachinery/values/time-parse.ts';
import { CelDuration, CelError, CelTimestamp, type Value } from '#shared/cel/values/value.ts';

/** Reads the text of a duration as the value that expressions see (k8s.io/kube-openapi/pkg/validation/strfmt). */
export function readDuration(text: string): Value {
  try {
    return new CelDuration(parseDuration(text));
  } catch {
    return readNamedUnits(text);
  }
}

const second = 1_000_000_000n;
/** The units: a name matches a unit if it is one of `names` or starts with `beginning`. */
const units: readonly (readonly [nanoseconds: bigint, names: readonly string[], beginning: string])[] = [
  [1n, ['ns'], 'nano'],
  [1000n, ['us', 'µs'], 'micro'],
  [1_000_000n, ['ms'], 'milli'],
  [second, ['s'], 'sec'],
  [60n * second, ['m'], 'min'],
  [3600n * second, ['h', 'hr'], 'hour'],
  [86_400n * second, ['d'], 'day'],
  [604_800n * second, ['w', 'wk'], 'week'],
];
const maxFactor = 2n ** 63n - 1n;

/** Reads durations in Scala's form: `22 ns`, `1 week`. Other characters in between are ignored. */
function readNamedUnits(text: string): Value {
  let [known, total] = [false, 0n];
  // Leading zeros are removed separately, so that a long text takes linear time.
  for (const [, digits = '', unit] of text.matchAll(/(\d+)(?:\s*([A-Za-z\u00b5]+))?/g)) {
    if (unit === undefined) continue;
    const significant = digits.replace(/^0+(?=\d)/, '');
    if (significant.length > 19 || BigInt(significant) > maxFactor)
      return new CelError(`Invalid duration ${text}: strconv.Atoi: parsing "${digits}": value out of range`);
    const word = unit.toLowerCase();
    for (const [nanoseconds, names, beginning] of units) {
      if (!names.includes(word) && !word.startsWith(beginning)) continue;
      known = true;
      total += BigInt(significant) * nanoseconds;
    }
  }
  return known
    ? new CelDuration(BigInt.asIntN(64, total))
    : new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`);
}

export function readDate(text: string): Value {
  return /^\d{4}-\d\d-\d\d$/.test(text)
    ? readTime(`${text}T00:00:00Z`, [RFC3339], 'Invalid date formatted string')
    : new CelError(
        `Invalid date formatted string ${text}: parsing time ${goQuote(text)} as "2006-01-02": cannot parse`,
      );
}

export function readDateTime(text: string): Value {
  return text === ''
    ? new CelTimestamp(0, 0)
    : readTime(text, [RFC3339, '2006-01-02T15:04:05'], 'Invalid date-time formatted string');
}

/** Reads a time by the first layout that fits; if none fits, returns the error of the last one. */
function readTime(text: string, layouts: readonly string[], failure: string): Value {
  let message = '';
  for (const layout of layouts) {
    try {
      const { seconds, nanos } = parseByLayout(layout, text);
      return new CelTimestamp(seconds, nanos, offsetOf(text));
    } catch (error) {
      if (!(error instanceof TimeError)) throw error;
      ({ message } = error);
    }
  }
  return new CelError(`${failure} ${text}: ${message}`);
}

/** The UTC offset of a time in seconds, positive to the east. */
function offsetOf(text: string): number {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(text.slice(10)) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60);
}

/** Decodes base64 with the URL alphabet, although the check of this format requires the standard alphabet. */
export function readBytes(text: string): Value {
  const wrong = /[+/]/.exec(text);
  try {
    if (wrong !== null) throw new Base64Error(Buffer.byteLength(text.slice(0, wrong.index)));
    return new Uint8Array(decodeBase64(text.replaceAll('-', '+').replaceAll('_', '/')));
  } catch (error) {
    if (!(error instanceof Base64Error)) throw error;
    return new CelError(`Invalid byte formatted string ${text}: ${error.message}`);
  }
}
