import type { Exchange } from './play.ts';

interface KnownDifference {
  /** What explains it: the upstream file, and why this server differs. */
  readonly why: string;
  matches(exchange: Exchange, differences: readonly string[]): boolean;
}

/** Differences that stay, or wait for their area. */
const known: readonly KnownDifference[] = [];

/** Why an answer differs, where that is known. */
export function explanationOf(exchange: Exchange, differences: readonly string[]): string | undefined {
  return known.find((item) => item.matches(exchange, differences))?.why;
}
