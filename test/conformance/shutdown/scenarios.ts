/** One way to end a server: its flags, and what goes on meanwhile. */
export interface Scenario {
  readonly name: string;
  readonly flags: readonly string[];
  /** When the bodies of the creates that are under way at the signal are whole. */
  readonly bodyAfterMs: number;
  readonly hasWatches: boolean;
  /** How long the end may take at most. */
  readonly withinMs: number;
}

const short = ['--request-timeout=5s', '--min-request-timeout=1800'];

export const scenarios: readonly Scenario[] = [
  { name: 'defaults', flags: short, bodyAfterMs: 1_500, hasWatches: false, withinMs: 15_000 },
  { name: 'defaults, watches', flags: short, bodyAfterMs: 1_000, hasWatches: true, withinMs: 15_000 },
  {
    name: 'delay',
    flags: [...short, '--shutdown-delay-duration=2s'],
    bodyAfterMs: 3_000,
    hasWatches: true,
    withinMs: 15_000,
  },
  {
    name: 'Retry-After',
    flags: [...short, '--shutdown-send-retry-after=true'],
    bodyAfterMs: 2_000,
    hasWatches: true,
    withinMs: 15_000,
  },
  {
    name: 'delay, Retry-After',
    flags: [...short, '--shutdown-delay-duration=1s', '--shutdown-send-retry-after=true'],
    bodyAfterMs: 3_000,
    hasWatches: true,
    withinMs: 15_000,
  },
  {
    name: 'watch grace period',
    flags: [...short, '--shutdown-delay-duration=1s', '--shutdown-watch-termination-grace-period=3s'],
    bodyAfterMs: 2_500,
    hasWatches: true,
    withinMs: 15_000,
  },
  {
    name: 'watch grace period, Retry-After',
    flags: [...short, '--shutdown-send-retry-after=true', '--shutdown-watch-termination-grace-period=3s'],
    bodyAfterMs: 2_000,
    hasWatches: true,
    withinMs: 15_000,
  },
  {
    name: 'a request without end',
    flags: [...short, '--shutdown-send-retry-after=true'],
    bodyAfterMs: Number.POSITIVE_INFINITY,
    hasWatches: false,
    withinMs: 20_000,
  },
];
