const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = '(?:sun|mon|tue|wed|thu|fri|sat)';
const longDays = '(?:sunday|monday|tuesday|wednesday|thursday|friday|saturday)';
const month = `(?<month>${months.join('|')})`;
const clock = String.raw`(?<hour>\d{1,2}):(?<minute>\d\d):(?<second>\d\d)(?:[.,]\d+)?`;

/** The three forms of RFC 9110 5.6.7, as Go reads them: names in any case, fractions of seconds passed over. */
const forms: readonly RegExp[] = [
  new RegExp(String.raw`^${days}, (?<day>\d\d) ${month} (?<year>\d{4}) ${clock} GMT$`, 'i'),
  new RegExp(String.raw`^${longDays}, (?<day>\d\d)-${month}-(?<shortYear>\d\d) ${clock} [A-Z]{3,4}$`, 'i'),
  new RegExp(String.raw`^${days} ${month} {1,2}(?<day>\d{1,2}) ${clock} (?<year>\d{4})$`, 'i'),
];

type NumberedGroup = 'day' | 'year' | 'shortYear' | 'hour' | 'minute' | 'second';

/** Years of two digits below this are of this century (Go's time package). */
const firstShortYear = 69;

/** Reads a time in a header, in seconds since 1970 (Go's http.ParseTime). Undefined where it is none. */
export function parseHttpTime(text: string): number | undefined {
  for (const form of forms) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const number = (name: NumberedGroup): number => Number(groups[name]);
    const short = number('shortYear');
    const year = groups['shortYear'] === undefined ? number('year') : short + (short < firstShortYear ? 2000 : 1900);
    const monthAt = months.indexOf((groups['month'] ?? '').toLowerCase());
    const [day, hour, minute, second] = [number('day'), number('hour'), number('minute'), number('second')];
    if (hour > 23 || minute > 59 || second > 59) continue;
    const date = new Date(0);
    date.setUTCFullYear(year, monthAt, day);
    // A day that the month does not have becomes one of another month.
    if (date.getUTCMonth() !== monthAt || date.getUTCDate() !== day) continue;
    return date.setUTCHours(hour, minute, second) / 1000;
  }
  return undefined;
}
