/** Pauses between attempts that fail one after the other. */
export interface BackOff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** How long to wait after so many failures in a row, from 1: twice as long each time. */
export function pauseAfter(failures: number, { firstMs, longestMs }: BackOff): number {
  // The exponent is limited: after 30 doublings every pause is at its maximum.
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}
