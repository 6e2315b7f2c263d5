/** What a request is expected to occupy (apiserver/pkg/util/flowcontrol/request/width.go). */
export interface WorkEstimate {
  /** Seats while the request is executed. */
  readonly initialSeats: number;
  /** Seats after its end, while its watch events are sent. */
  readonly finalSeats: number;
  /** How long those stay occupied, in nanoseconds. The client does not wait for it. */
  readonly additionalLatencyNs: number;
}

/** A request holds the larger of its two numbers of seats all the time. */
export function maxSeats({ initialSeats, finalSeats }: WorkEstimate): number {
  return Math.max(initialSeats, finalSeats);
}
