/** What priority and fairness decided about a request, for its line in the log. */
export interface FlowFacts {
  readonly flowSchema: string;
  readonly priorityLevel: string;
  /** Seats while the request is executed, and after its end. */
  readonly initialSeats: number;
  readonly finalSeats: number;
  readonly additionalLatencyNs: number;
  /** Until the initial events of a watch were sent; undefined for others, and before that. */
  readonly initLatencyMs: number | undefined;
  /** How long it held its seats; undefined until it gave them back. */
  readonly executionMs: number | undefined;
}
