/** Unit names of Go's time.Duration, in milliseconds. */
const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6, us: 1e-3, 'µs': 1e-3, 'μs': 1e-3, ms: 1, s: 1000, m: 60_000, h: 3_600_000,
};

/** Reads Go's duration form (`1h2m3.5s`) as milliseconds; undefined if it is none. */
export function parseGoDurationMs(text: string): number | undefined {
  const match = /^([+-]?)(.*)$/.exec(text);
  const body = match?.[2] ?? '';
  if (body === '0') return 0;
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+$/.test(body)) return undefined;
  let total = 0;
  for (const [, number, unit] of body.matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(number) * (unitMs[unit ?? ''] ?? 0);
  }
  return match?.[1] === '-' ? -total : total;
}

/** Prints milliseconds as Go prints a duration: `1m0s`, `1h0m0s`, `500ms`, `0s`. */
export function formatGoDuration(ms: number): string {
  if (ms === 0) return '0s';
  const sign = ms < 0 ? '-' : '';
  const rest = Math.abs(ms);
  if (rest < 1) return `${sign}${rest * 1000}µs`;
  if (rest < 1000) return `${sign}${rest}ms`;
  const hours = Math.floor(rest / 3_600_000);
  const minutes = Math.floor(rest / 60_000) % 60;
  const seconds = `${(rest % 60_000) / 1000}s`;
  if (hours > 0) return `${sign}${hours}h${minutes}m${seconds}`;
  return minutes > 0 ? `${sign}${minutes}m${seconds}` : `${sign}${seconds}`;
}

/** `%q` of Go for text without control characters beyond the common ones. */
export function quote(text: string): string {
  return JSON.stringify(text);
}
