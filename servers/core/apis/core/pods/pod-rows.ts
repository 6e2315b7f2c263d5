import { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { timeToMs } from '#shared/apimachinery/values/time.ts';
import type { Cell, TableRow } from '#shared/serializer/table/cells.ts';
import { NONE, ageOf, conditionOf, count, isDeleted, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { shownMetadata } from '#shared/serializer/table/shown-fields.ts';

/** Restarts so far and when the last one was. */
class Restarts {
  #count = 0;
  #lastMs: number | undefined;

  add(status: JsonObject): void {
    this.#count += count(status, 'restartCount');
    const finished = timeToMs(stringAt(status, 'lastState', 'terminated', 'finishedAt'));
    if (finished !== undefined && (this.#lastMs === undefined || this.#lastMs < finished)) this.#lastMs = finished;
  }

  cell(): Cell {
    if (this.#count === 0 || this.#lastMs === undefined) return String(this.#count);
    return { sinceMs: this.#lastMs, before: `${this.#count} (`, after: ' ago)' };
  }
}

interface Progress {
  reason: string;
  ready: number;
  restarts: Restarts;
}

/** One row of `kubectl get pods`: what keeps the pod from running, or that it runs. */
function printPod(pod: JsonObject): TableRow {
  const initContainers = objectsAt(pod, 'spec', 'initContainers');
  const sidecars = new Set(
    initContainers.filter((item) => stringAt(item, 'restartPolicy') === 'Always').map((item) => stringAt(item, 'name')),
  );
  const total =
    objectsAt(pod, 'spec', 'containers').length +
    initContainers.filter((item) => sidecars.has(stringAt(item, 'name'))).length;
  const phase = stringAt(pod, 'status', 'phase');
  const progress: Progress = { reason: initialReason(pod, phase), ready: 0, restarts: new Restarts() };
  const sidecarRestarts = new Restarts();
  const initializing = walkInitContainers(pod, sidecars, initContainers.length, progress, sidecarRestarts);
  if (!initializing || conditionIsTrue(pod, 'Initialized')) {
    progress.restarts = sidecarRestarts;
    walkContainers(pod, progress);
  }
  const cells = [
    nameOf(pod),
    `${progress.ready}/${total}`,
    finalReason(pod, phase, progress.reason),
    progress.restarts.cell(),
    ageOf(pod),
    textOr(textOr(NONE, objectsAt(pod, 'status', 'podIPs')[0], 'ip'), pod, 'status', 'podIP'),
    textOr(NONE, pod, 'spec', 'nodeName'),
    textOr(NONE, pod, 'status', 'nominatedNodeName'),
    readinessGates(pod),
  ];
  const conditions = finishedConditions(phase);
  return conditions === undefined ? { cells } : { cells, conditions };
}

function initialReason(pod: JsonObject, phase: string): string {
  const gated = objectsAt(pod, 'status', 'conditions').some(
    (item) => stringAt(item, 'type') === 'PodScheduled' && stringAt(item, 'reason') === 'SchedulingGated',
  );
  return gated ? 'SchedulingGated' : textOr(phase, pod, 'status', 'reason');
}

/** Whether an init container has not finished yet; its state becomes the reason that is shown. */
function walkInitContainers(
  pod: JsonObject,
  sidecars: ReadonlySet<string>,
  total: number,
  progress: Progress,
  sidecarRestarts: Restarts,
): boolean {
  for (const [i, status] of objectsAt(pod, 'status', 'initContainerStatuses').entries()) {
    const sidecar = sidecars.has(stringAt(status, 'name'));
    progress.restarts.add(status);
    if (sidecar) sidecarRestarts.add(status);
    const terminated = objectAt(status, 'state', 'terminated');
    if (terminated !== undefined && count(terminated, 'exitCode') === 0) continue;
    if (sidecar && booleanAt(status, 'started') === true) {
      if (booleanAt(status, 'ready') === true) progress.ready++;
      continue;
    }
    const waiting = stringAt(status, 'state', 'waiting', 'reason');
    if (terminated !== undefined) progress.reason = `Init:${terminationReason(terminated)}`;
    else if (waiting !== '' && waiting !== 'PodInitializing') progress.reason = `Init:${waiting}`;
    else progress.reason = `Init:${i}/${total}`;
    return true;
  }
  return false;
}

function terminationReason(terminated: JsonObject): string {
  const reason = stringAt(terminated, 'reason');
  if (reason !== '') return reason;
  const signal = count(terminated, 'signal');
  return signal === 0 ? `ExitCode:${count(terminated, 'exitCode')}` : `Signal:${signal}`;
}

function walkContainers(pod: JsonObject, progress: Progress): void {
  let running = false;
  let errorReason = '';
  for (const status of objectsAt(pod, 'status', 'containerStatuses').toReversed()) {
    progress.restarts.add(status);
    const waiting = stringAt(status, 'state', 'waiting', 'reason');
    const terminated = objectAt(status, 'state', 'terminated');
    if (waiting !== '') progress.reason = waiting;
    else if (terminated !== undefined) {
      progress.reason = terminationReason(terminated);
      if (count(terminated, 'exitCode') !== 0) errorReason = progress.reason;
    } else if (booleanAt(status, 'ready') === true && objectAt(status, 'state', 'running') !== undefined) {
      running = true;
      progress.ready++;
    }
  }
  if (progress.reason !== 'Completed') return;
  const ready = objectsAt(pod, 'status', 'conditions').some(
    (item) => stringAt(item, 'type') === 'Ready' && stringAt(item, 'status') === 'True',
  );
  if (running && ready) progress.reason = 'Running';
  else if (errorReason !== '') progress.reason = errorReason;
  else if (running) progress.reason = 'NotReady';
}

function conditionIsTrue(pod: JsonObject, type: string): boolean {
  return stringAt(conditionOf(pod, type), 'status') === 'True';
}

function finalReason(pod: JsonObject, phase: string, reason: string): string {
  if (!isDeleted(pod)) return reason;
  if (stringAt(pod, 'status', 'reason') === 'NodeLost') return 'Unknown';
  return phase === 'Succeeded' || phase === 'Failed' ? reason : 'Terminating';
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(pod, 'spec', 'readinessGates');
  if (gates.length === 0) return NONE;
  // Of conditions with the same type, the first counts.
  const states = new Map(
    objectsAt(pod, 'status', 'conditions')
      .toReversed()
      .map((condition) => [stringAt(condition, 'type'), stringAt(condition, 'status')]),
  );
  return `${gates.filter((gate) => states.get(stringAt(gate, 'conditionType')) === 'True').length}/${gates.length}`;
}

function finishedConditions(phase: string): JsonObject[] | undefined {
  if (phase === 'Succeeded') {
    return [{ type: 'Completed', status: 'True', reason: phase, message: 'The pod has completed successfully.' }];
  }
  if (phase === 'Failed') return [{ type: 'Completed', status: 'True', reason: phase, message: 'The pod failed.' }];
  return undefined;
}

const containerStatus = {
  name: 'all',
  state: 'all',
  lastState: 'all',
  ready: 'all',
  started: 'all',
  restartCount: 'all',
} as const;

export const podRows: KindRows = {
  print: printPod,
  reads: new JsonProjection({
    metadata: shownMetadata,
    spec: {
      containers: {},
      initContainers: { name: 'all', restartPolicy: 'all' },
      nodeName: 'all',
      readinessGates: 'all',
    },
    status: {
      phase: 'all',
      reason: 'all',
      podIP: 'all',
      podIPs: 'all',
      nominatedNodeName: 'all',
      conditions: { type: 'all', status: 'all', reason: 'all' },
      initContainerStatuses: containerStatus,
      containerStatuses: containerStatus,
    },
  }),
};
