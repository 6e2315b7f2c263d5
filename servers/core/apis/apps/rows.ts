import { parseGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, int64At, objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import {
  NONE,
  ageOf,
  cellsOf,
  containerCells,
  count,
  formatMap,
  formatSelector,
  nameOf,
  selectorText,
} from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { shownWorkload } from '#shared/serializer/table/shown-fields.ts';

const TEMPLATE = ['spec', 'template', 'spec'] as const;

function printDeployment(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    `${count(object, 'status', 'readyReplicas')}/${count(object, 'spec', 'replicas')}`,
    count(object, 'status', 'updatedReplicas'),
    count(object, 'status', 'availableReplicas'),
    ageOf(object),
    ...containerCells(object, ...TEMPLATE),
    selectorText(objectAt(object, 'spec', 'selector')) ?? '<invalid>',
  ];
}

function printReplicaSet(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    count(object, 'spec', 'replicas'),
    count(object, 'status', 'replicas'),
    count(object, 'status', 'readyReplicas'),
    ageOf(object),
    ...containerCells(object, ...TEMPLATE),
    formatSelector(object, 'spec', 'selector'),
  ];
}

function printStatefulSet(object: JsonObject): Cell[] {
  const ready = `${count(object, 'status', 'readyReplicas')}/${count(object, 'spec', 'replicas')}`;
  return [nameOf(object), ready, ageOf(object), ...containerCells(object, ...TEMPLATE)];
}

const DAEMON_COUNTS = [
  'desiredNumberScheduled',
  'currentNumberScheduled',
  'numberReady',
  'updatedNumberScheduled',
  'numberAvailable',
] as const;

function printDaemonSet(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    ...DAEMON_COUNTS.map((name) => count(object, 'status', name)),
    formatMap(object, ...TEMPLATE, 'nodeSelector'),
    ageOf(object),
    ...containerCells(object, ...TEMPLATE),
    formatSelector(object, 'spec', 'selector'),
  ];
}

function printControllerRevision(object: JsonObject): Cell[] {
  const owner = objectsAt(object, 'metadata', 'ownerReferences').find((item) => booleanAt(item, 'controller') === true);
  return [
    nameOf(object),
    owner === undefined ? NONE : ownerName(owner),
    int64At(object, 'revision') ?? 0,
    ageOf(object),
  ];
}

/** `deployment.apps/name`. */
function ownerName(owner: JsonObject): string {
  const { group } = parseGroupVersion(stringAt(owner, 'apiVersion'));
  const kind = stringAt(owner, 'kind');
  return `${(group === '' ? kind : `${kind}.${group}`).toLowerCase()}/${stringAt(owner, 'name')}`;
}

export const controllerRevisionRows: KindRows = {
  print: cellsOf(printControllerRevision),
};

export const daemonSetRows: KindRows = {
  print: cellsOf(printDaemonSet),
  reads: shownWorkload,
};

export const deploymentRows: KindRows = {
  print: cellsOf(printDeployment),
  reads: shownWorkload,
};

export const replicaSetRows: KindRows = {
  print: cellsOf(printReplicaSet),
  reads: shownWorkload,
};

export const statefulSetRows: KindRows = {
  print: cellsOf(printStatefulSet),
  reads: shownWorkload,
};
