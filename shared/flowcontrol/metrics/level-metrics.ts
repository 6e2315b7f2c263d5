import type { LevelObserver } from '#shared/flowcontrol/levels/level-observer.ts';
import type { QueueingConfig, RejectReason } from '#shared/flowcontrol/queueset/queue-set-options.ts';
import type { FlowFamilies } from './flow-families.ts';
import { FlowMetrics } from './flow-metrics.ts';
import type { LevelRatios, RatiosOfLevel } from './level-ratios.ts';

/** Takes what the queues of one level do. */
export class LevelMetrics implements LevelObserver {
  readonly #level: string;
  readonly #families: FlowFamilies;
  readonly #flows = new Map<string, FlowMetrics>();
  readonly #ratios: RatiosOfLevel;
  #last: FlowMetrics | undefined;

  constructor(level: string, families: FlowFamilies, ratios: LevelRatios) {
    this.#level = level;
    this.#families = families;
    this.#ratios = ratios.of(level);
  }

  get flows(): ReadonlyMap<string, FlowMetrics> {
    return this.#flows;
  }

  flow(flowSchema: string): FlowMetrics {
    // What happens to one request is told in several calls.
    if (this.#last?.flowSchema === flowSchema) return this.#last;
    return (this.#last = this.#find(flowSchema));
  }

  #find(flowSchema: string): FlowMetrics {
    let flow = this.#flows.get(flowSchema);
    if (flow === undefined)
      this.#flows.set(flowSchema, (flow = new FlowMetrics(this.#families, this.#level, flowSchema)));
    return flow;
  }

  /** Drops the present numbers of FlowSchemas that are gone; what was counted stays. */
  keep(flowSchemas: ReadonlySet<string>): void {
    this.#last = undefined;
    for (const [name, flow] of this.#flows) if (flow.isIdle && !flowSchemas.has(name)) this.#flows.delete(name);
  }

  waiting(flowSchema: string, requests: 1 | -1, seats: number): void {
    const flow = this.flow(flowSchema);
    flow.waiting += requests;
    flow.seatsWaiting += seats;
    this.#ratios.waiting.add(requests);
  }

  queued(flowSchema: string, length: number): void {
    this.flow(flowSchema).queued(length);
  }

  executing(flowSchema: string, requests: 1 | -1): void {
    this.flow(flowSchema).executing += requests;
    this.#ratios.executing.add(requests);
  }

  seatsInUse(flowSchema: string, seats: number): void {
    this.flow(flowSchema).seats += seats;
    this.#ratios.seats.add(seats);
  }

  dispatched(flowSchema: string): void {
    this.flow(flowSchema).dispatched.value++;
  }

  rejected(flowSchema: string, reason: RejectReason): void {
    this.flow(flowSchema).rejected(reason);
  }

  dispatchWithoutRoom(flowSchema: string): void {
    this.flow(flowSchema).dispatchedWithoutRoom();
  }

  seatDemand(seats: number): void {
    this.#ratios.demand.set(seats);
  }

  limited({ queues, queueLengthLimit }: QueueingConfig, seats: number): void {
    this.#ratios.waiting.setDenominator(Math.max(1, queueLengthLimit) * Math.max(1, queues));
    for (const ratio of [this.#ratios.executing, this.#ratios.seats, this.#ratios.demand]) ratio.setDenominator(seats);
  }
}
