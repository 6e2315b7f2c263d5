import type { PriorityLevels } from '#shared/flowcontrol/levels/priority-levels.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { FlowFamilies, type AllFlows } from './flow-families.ts';
import { levelFamilies } from './level-families.ts';
import { LevelMetrics } from './level-metrics.ts';
import { LevelRatios } from './level-ratios.ts';
import type { RatioClock } from './ratio-histogram.ts';

/** Families of the reference (apiserver/pkg/util/flowcontrol/metrics) about requests, seats and limits. */
export class FlowControlMetrics {
  readonly #levels = new Map<string, LevelMetrics>();
  readonly #ratios: LevelRatios;
  readonly #flows: FlowFamilies = new FlowFamilies(() => this.#allFlows());

  constructor(clock: RatioClock) {
    this.#ratios = new LevelRatios(clock);
  }

  families(levels: PriorityLevels): readonly Family[] {
    return [...this.#flows.families(), ...levelFamilies(levels), ...this.#ratios.families()];
  }

  /** The metrics of a level, new ones where a level of this name comes again. */
  observerOf(level: string): LevelMetrics {
    const metrics = new LevelMetrics(level, this.#flows, this.#ratios);
    this.#levels.set(level, metrics);
    return metrics;
  }

  /** Drops the present numbers of all other levels and FlowSchemas. */
  keep(levels: ReadonlySet<string>, flowSchemas: ReadonlySet<string>): void {
    for (const [name, level] of this.#levels) {
      level.keep(flowSchemas);
      if (levels.has(name)) continue;
      this.#levels.delete(name);
      this.#ratios.forget(name);
    }
  }

  *#allFlows(): ReturnType<AllFlows> {
    for (const [level, { flows }] of this.#levels)
      for (const [flowSchema, flow] of flows) yield [[level, flowSchema], flow];
  }
}
