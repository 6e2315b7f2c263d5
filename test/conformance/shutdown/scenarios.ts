/** One way to end a server: its flags, and what goes on meanwhile. */
export interface Scenario {
  readonly name: string;
  readonly flags: readonly string[];
  /** When the bodies of the creates that are under way at the signal are whole. */
  readonly bodyAfterMs: number;
  readonly hasWatches: boolean;
  /** Whether logs of a pod are followed. Default: no. */
  readonly hasLogs?: boolean;
  /** When a second signal comes, after the first; signals within a second count as one here. Default: none does. */
  readonly againAfterMs?: number;
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
    name: 'logs',
    flags: short,
    bodyAfterMs: 1_000,
    hasWatches: false,
    hasLogs: true,
    withinMs: 20_000,
  },
  {
    name: 'logs, delay, Retry-After',
    flags: [...short, '--shutdown-delay-duration=1s', '--shutdown-send-retry-after=true'],
    bodyAfterMs: 1_500,
    hasWatches: false,
    hasLogs: true,
    withinMs: 20_000,
  },
  {
    name: 'a second signal',
    flags: [...short, '--shutdown-delay-duration=5s'],
    bodyAfterMs: 3_000,
    hasWatches: true,
    hasLogs: true,
    againAfterMs: 1_500,
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
