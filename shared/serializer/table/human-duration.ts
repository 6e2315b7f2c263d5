/**
 * A duration in the reference's short form: `5s`, `3m20s`, `12d`, `2y14d` (apimachinery/pkg/util/duration). A time up
 * to two seconds in the future counts as now, a later one as `<invalid>`. Go's durations end at 292 years.
 */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return withRest(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return hours < 24 * 365 * 8 ? withRest(years, 'y', days % 365, 'd') : `${Math.min(years, 292)}y`;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;

/**
 * The number of milliseconds for which {@link humanDuration} has the same text; for times in the future it is 1, a
 * lower bound.
 */
export function humanDurationLasts(ms: number): number {
  if (ms < 0) return 1;
  const step = stepOf(ms);
  return step - (ms % step);
}

/**
 * The unit that the text of a duration counts in. Each unit is a multiple of the previous one, and so is the duration
 * at which it takes over.
 */
function stepOf(ms: number): number {
  if (ms < 10 * minuteMs) return secondMs;
  if (ms < 8 * hourMs) return minuteMs;
  if (ms < 8 * dayMs) return hourMs;
  return ms < 8 * yearMs ? dayMs : yearMs;
}

function withRest(value: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${restUnit}`;
}
