import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, objectAt, stringAt } from '#shared/apimachinery/object.ts';
import type { QueueingConfig } from '#shared/flowcontrol/queueset/queue-set-options.ts';
import { canDeal } from '#shared/flowcontrol/queueset/shuffle-sharding.ts';

/** The mandatory level without limits, and that of all requests which no other FlowSchema is about. */
export const exemptLevel = 'exempt';
export const catchAllLevel = 'catch-all';

/** The API allows ten million; flows share queues hardly more often with so many. */
const mostQueues = 16_384;

/** What flow control reads of a PriorityLevelConfiguration (flowcontrol.apiserver.k8s.io/v1). */
export interface PriorityLevelConfiguration {
  readonly name: string;
  readonly uid: string;
  readonly isExempt: boolean;
  readonly shares: number;
  readonly lendablePercent: number;
  /** Undefined for no bound. */
  readonly borrowingLimitPercent: number | undefined;
  readonly queueing: QueueingConfig;
}

/** Undefined for an object that contradicts itself. */
export function readPriorityLevel(object: JsonObject): PriorityLevelConfiguration | undefined {
  const name = stringAt(object, 'metadata', 'name');
  const limited = objectAt(object, 'spec', 'limited');
  const exempt = objectAt(object, 'spec', 'exempt');
  const type = stringAt(object, 'spec', 'type');
  const isExempt = type === 'Exempt';
  if ((type === 'Limited') !== (limited !== undefined) || isExempt !== (exempt !== undefined)) return undefined;
  if (isExempt !== (name === exemptLevel)) return undefined;
  const queueing = limited === undefined ? withoutLimits : readQueueing(limited);
  if (queueing === undefined) return undefined;
  const spec = limited ?? exempt;
  return {
    name,
    uid: stringAt(object, 'metadata', 'uid'),
    isExempt,
    shares: numberAt(spec, 'nominalConcurrencyShares') ?? 0,
    lendablePercent: numberAt(spec, 'lendablePercent') ?? 0,
    borrowingLimitPercent: numberAt(limited, 'borrowingLimitPercent'),
    queueing,
  };
}

const withoutLimits: QueueingConfig = { queues: -1, queueLengthLimit: 0, handSize: 0 };

function readQueueing(limited: JsonObject): QueueingConfig | undefined {
  const rejects = stringAt(limited, 'limitResponse', 'type') === 'Reject';
  const queuing = objectAt(limited, 'limitResponse', 'queuing');
  if (rejects !== (queuing === undefined)) return undefined;
  if (queuing === undefined) return { queues: 0, queueLengthLimit: 0, handSize: 0 };
  const queues = numberAt(queuing, 'queues') ?? 0;
  const handSize = numberAt(queuing, 'handSize') ?? 0;
  if (queues > 0 && !canDeal(queues, handSize)) return undefined;
  return {
    queues: Math.min(queues, mostQueues),
    queueLengthLimit: numberAt(queuing, 'queueLengthLimit') ?? 0,
    handSize,
  };
}
