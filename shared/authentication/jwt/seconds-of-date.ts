const [smallest, beyond] = [-(2n ** 63n), 2 ** 63];
/** Seconds from the year 1 to 1970. Go counts times from the year 1, and the sum can overflow. */
const toYearOne = 62_135_596_800n;

/**
 * The seconds of a date as Go reads it: without a fraction, and dates that overflow become very early ones (float64 to
 * int64 on amd64, time.Unix). A bigint is one that Go reads as an integer: it does not overflow.
 */
export function secondsOfDate(date: number | bigint): number {
  const isWithin = typeof date === 'bigint' || (date >= -beyond && date < beyond);
  const whole64 = isWithin ? BigInt(typeof date === 'bigint' ? date : Math.trunc(date)) : smallest;
  return Number(BigInt.asIntN(64, whole64 + toYearOne) - toYearOne);
}
