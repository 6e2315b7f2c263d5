let fixedMs: number | undefined;

/** From now on all times in objects are this one, in milliseconds since the epoch, for clusters of tests. */
export function fixObjectClock(ms: number): void {
  fixedMs = ms;
}

/** The time that is written into objects now, and that their times are compared with: milliseconds since the epoch. */
export function objectNowMs(): number {
  return fixedMs ?? Date.now();
}
