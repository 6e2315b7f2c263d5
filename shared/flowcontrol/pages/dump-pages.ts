import { formatDuration } from '#shared/apimachinery/values/duration.ts';
import type { FlowControl } from '#shared/flowcontrol/flow-control.ts';
import type { PriorityLevel } from '#shared/flowcontrol/levels/priority-level.ts';
import type { FairRequest } from '#shared/flowcontrol/queueset/fair-request.ts';
import { formatSeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import { tabTable } from './tab-table.ts';

/** A time that has not come: Go's zero time. */
const noTime = '0001-01-01T00:00:00Z';

/** `/debug/api_priority_and_fairness/dump_priority_levels` (apiserver/pkg/util/flowcontrol/apf_controller_debug.go) */
export function dumpPriorityLevels(flowControl: FlowControl): string {
  return tabTable([
    [
      'PriorityLevelName',
      'ActiveQueues',
      'IsIdle',
      'IsQuiescing',
      'WaitingRequests',
      'ExecutingRequests',
      'DispatchedRequests',
      'RejectedRequests',
      'TimedoutRequests',
      'CancelledRequests',
    ],
    ...byName(flowControl).map(({ queues, isQuiescing }) => {
      const { totals } = queues;
      const active = queues.queues.filter(({ waiting }) => waiting.size > 0).length;
      return [
        queues.name,
        ...[active, queues.isIdle, isQuiescing, totals.requestsWaiting, totals.requestsExecuting].map(String),
        ...[totals.dispatched, totals.rejected, totals.timedOut, totals.cancelled].map(String),
      ];
    }),
  ]);
}

/** `/debug/api_priority_and_fairness/dump_queues` */
export function dumpQueues(flowControl: FlowControl): string {
  const rows = byName(flowControl).flatMap(({ queues }) =>
    queues.queues.map((queue) => [
      queues.name,
      String(queue.index),
      String(queue.waiting.size),
      String(queue.executing.size),
      String(queue.seatsInUse),
      formatSeatSeconds(queue.nextDispatchR),
      String(queue.initialSeatsWaiting),
      String(queue.maxSeatsWaiting),
      formatSeatSeconds(queue.workWaiting),
    ]),
  );
  return tabTable([
    [
      'PriorityLevelName',
      'Index',
      'PendingRequests',
      'ExecutingRequests',
      'SeatsInUse',
      'NextDispatchR',
      'InitialSeatsSum',
      'MaxSeatsSum',
      'TotalWorkSum',
    ],
    ...rows,
  ]);
}

/** `/debug/api_priority_and_fairness/dump_requests`; `timeOf` gives the time of day of a clock reading. */
export function dumpRequests(
  flowControl: FlowControl,
  withDetails: boolean,
  timeOf: (clockNs: number) => string,
): string {
  const head = [
    'PriorityLevelName',
    'FlowSchemaName',
    'QueueIndex',
    'RequestIndexInQueue',
    'FlowDistingsher',
    'ArriveTime',
    'InitialSeats',
    'FinalSeats',
    'AdditionalLatency',
    'StartTime',
  ];
  const details = ['UserName', 'Verb', 'APIPath', 'Namespace', 'Name', 'APIVersion', 'Resource', 'SubResource'];
  const rows = byName(flowControl).flatMap(({ queues }) =>
    [
      ...queues.queues.flatMap((queue) => [
        ...[...queue.waiting].map((request, index) => ({ request, queue: queue.index, index })),
        ...[...queue.executing].map((request) => ({ request, queue: queue.index, index: -1 })),
      ]),
      ...[...queues.executingWithoutQueue].map((request) => ({ request, queue: -1, index: -1 })),
    ].map((place) => ({ level: queues.name, ...place })),
  );
  return tabTable([
    withDetails ? [...head, ...details] : head,
    ...rows.map(({ level, request, queue, index }) => [
      level,
      request.arrival.flowSchema,
      String(queue),
      String(index),
      ...requestCells(request, timeOf),
      ...(withDetails ? detailCells(request) : []),
    ]),
  ]);
}

function requestCells(
  { arrival, estimate, arrivedAtNs, startedAtNs }: FairRequest,
  timeOf: (ns: number) => string,
): string[] {
  return [
    arrival.flowDistinguisher,
    timeOf(arrivedAtNs),
    String(estimate.initialSeats),
    String(estimate.finalSeats),
    formatDuration(BigInt(estimate.additionalLatencyNs)),
    startedAtNs === 0 ? noTime : timeOf(startedAtNs),
  ];
}

function detailCells({ arrival: { user, info } }: FairRequest): string[] {
  const apiVersion = info.apiGroup === '' ? info.apiVersion : `${info.apiGroup}/${info.apiVersion}`;
  return [user.name, info.verb, info.path, info.namespace, info.name, apiVersion, info.resource, info.subresource];
}

function byName(flowControl: FlowControl): PriorityLevel[] {
  return [...flowControl.levels.all].sort((a, b) => (a.queues.name < b.queues.name ? -1 : 1));
}
