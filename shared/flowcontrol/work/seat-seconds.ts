/**
 * Work: seats occupied times how long, in whole units of 10^-8 seat-seconds, the resolution of the reference
 * (apiserver/pkg/util/flowcontrol/request/seat_seconds.go).
 */
export type SeatSeconds = number;

const unitsPerSecond = 1e8;
const nsPerUnit = 1e9 / unitsPerSecond;

/** The work of holding a number of seats for a time in nanoseconds, which may be negative. */
export function seatsTimesNs(seats: number, durationNs: number): SeatSeconds {
  const units = (seats * durationNs) / nsPerUnit;
  // Halves are rounded away from zero, as by Go's math.Round.
  return units < 0 ? -Math.round(-units) : Math.round(units);
}

export function inSeatSeconds(work: SeatSeconds): number {
  return work / unitsPerSecond;
}

/** Nanoseconds that the work takes on so many seats. */
export function nsPerSeat(work: SeatSeconds, seats: number): number {
  return Math.trunc((work / seats) * nsPerUnit);
}

/** As the debugging pages show it: `12.00345000ss`. */
export function formatSeatSeconds(work: SeatSeconds): string {
  const whole = Math.floor(work / unitsPerSecond);
  return `${whole}.${String(work - whole * unitsPerSecond).padStart(8, '0')}ss`;
}
