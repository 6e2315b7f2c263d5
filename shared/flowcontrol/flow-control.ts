import { LRUCache } from 'lru-cache';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { estimateWork, type EstimateSources } from './estimates/estimate-work.ts';
import { ObjectStatsTable } from './estimates/object-stats.ts';
import { WatchCounts } from './estimates/watch-counts.ts';
import type { FlowObserver } from './levels/level-observer.ts';
import {
  catchAllLevel,
  exemptLevel,
  readPriorityLevel,
  type PriorityLevelConfiguration,
} from './levels/priority-level-configuration.ts';
import type { PriorityLevel } from './levels/priority-level.ts';
import { PriorityLevels } from './levels/priority-levels.ts';
import type { FlowControlMetrics } from './metrics/flow-control-metrics.ts';
import type { QueueSetClock } from './queueset/queue-set-options.ts';
import { hashFlow } from './queueset/shuffle-sharding.ts';
import { readFlowSchema, type FlowSchema } from './schemas/flow-schema.ts';
import { FlowSchemas } from './schemas/flow-schemas.ts';
import { maxSeats, type WorkEstimate } from './work/work-estimate.ts';

const rememberedFlows = 1_000;

export interface FlowControlOptions {
  readonly clock: QueueSetClock;
  /** `--max-requests-inflight` and `--max-mutating-requests-inflight` together. */
  readonly serverLimit: number;
  /** The objects that exist always, as PriorityLevelConfigurations and FlowSchemas. */
  readonly mandatory: { readonly levels: readonly JsonObject[]; readonly schemas: readonly JsonObject[] };
  readonly metrics: FlowControlMetrics;
  readonly gates: Pick<EstimateSources, 'watchesSendObjects' | 'bySize'>;
}

/** Where a request belongs. */
export interface Classification {
  readonly schema: FlowSchema;
  readonly level: PriorityLevel;
  /** Counts the requests of the schema. */
  readonly observer: FlowObserver;
  readonly flowDistinguisher: string;
  /** Of the flow; undefined where the level has one queue at most. */
  readonly hash: bigint | undefined;
}

/** Priority and fairness (KEP-1040): which level and flow a request belongs to, and the seats of the levels. */
export class FlowControl {
  readonly watches = new WatchCounts();
  readonly clock: QueueSetClock;
  readonly metrics: FlowControlMetrics;
  readonly objects: ObjectStatsTable;
  readonly levels: PriorityLevels;
  readonly #mandatory: { readonly exempt: FlowSchema; readonly catchAll: FlowSchema };
  readonly #estimates: EstimateSources;
  /** Hashes of flows: names of schemas hold no NUL. */
  readonly #hashes = new LRUCache<string, bigint>({ max: rememberedFlows });
  #schemas: FlowSchemas;

  constructor({ clock, serverLimit, mandatory, metrics, gates }: FlowControlOptions) {
    this.clock = clock;
    const schemas = mandatory.schemas.map(readFlowSchema);
    const named = (name: string): FlowSchema => {
      const schema = schemas.find((candidate) => candidate.name === name);
      if (schema === undefined) throw new Error(`the facts hold no mandatory FlowSchema ${name}`);
      return schema;
    };
    this.#mandatory = { exempt: named(exemptLevel), catchAll: named(catchAllLevel) };
    this.objects = new ObjectStatsTable(() => clock.nowNs() / 1e6);
    this.metrics = metrics;
    this.levels = new PriorityLevels({
      clock,
      serverLimit,
      observerOf: (level) => metrics.observerOf(level),
      mandatory: mandatory.levels.flatMap((level) => readPriorityLevel(level) ?? []),
    });
    this.#estimates = { objects: this.objects, watches: this.watches, ...gates };
    this.#schemas = new FlowSchemas([], this.#mandatory);
  }

  /** Takes what is stored; FlowSchemas without their level do not count. */
  configure(levels: readonly PriorityLevelConfiguration[], schemas: readonly FlowSchema[]): void {
    const names = new Set(levels.map(({ name }) => name));
    this.levels.configure(levels);
    this.#schemas = new FlowSchemas(
      schemas.filter(({ priorityLevel }) => names.has(priorityLevel)),
      this.#mandatory,
    );
    this.metrics.keep(
      new Set(Array.from(this.levels.all, ({ configuration }) => configuration.name)),
      new Set(this.#schemas.names),
    );
  }

  classify(info: RequestInfo, user: UserInfo): Classification {
    const known = this.#schemas.of(info, user);
    const { schema } = known;
    // A FlowSchema is used only while its level is there.
    const level = this.levels.get(schema.priorityLevel) as PriorityLevel;
    const observer = level.observer.flow(schema.name);
    if (level.configuration.queueing.queues <= 1)
      return { schema, level, observer, flowDistinguisher: '', hash: undefined };
    const flowDistinguisher = distinguisherOf(schema, info, user);
    const hash =
      schema.distinguisher === 'ByNamespace'
        ? this.#hashOf(schema.name, flowDistinguisher)
        : (known.hash ??= hashFlow(schema.name, flowDistinguisher));
    return { schema, level, observer, flowDistinguisher, hash };
  }

  estimate(info: RequestInfo, { level, observer }: Classification): WorkEstimate {
    const estimate = estimateWork(info, level.maxSeatsPerRequest, this.#estimates, observer);
    observer.estimated(maxSeats(estimate));
    return estimate;
  }

  #hashOf(schema: string, distinguisher: string): bigint {
    const key = `${schema}\0${distinguisher}`;
    let hash = this.#hashes.get(key);
    if (hash === undefined) this.#hashes.set(key, (hash = hashFlow(schema, distinguisher)));
    return hash;
  }
}

function distinguisherOf({ distinguisher }: FlowSchema, info: RequestInfo, user: UserInfo): string {
  if (distinguisher === 'ByUser') return user.name;
  return distinguisher === 'ByNamespace' ? info.namespace : '';
}
