import type { QueueingConfig, QueueSetObserver } from '#shared/flowcontrol/queueset/queue-set-options.ts';

/** Takes what metrics count of the requests of one FlowSchema. */
export interface FlowObserver {
  /** The most seats that a request takes, during or after its execution. */
  estimated(seats: number): void;
  /** How many watches a write may reach. */
  watched(count: number): void;
  /** How long a request waited, and whether it was executed then. */
  waited(isExecuted: boolean, seconds: number): void;
  executed(isWatch: boolean, seconds: number): void;
}

/** Takes what metrics count of one level. */
export interface LevelObserver extends QueueSetObserver {
  flow(flowSchema: string): FlowObserver;
  /** The level has so many seats now. */
  limited(queueing: QueueingConfig, seats: number): void;
}
