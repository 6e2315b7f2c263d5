import { JsonProjection } from '#shared/apimachinery/json/json-projection.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { booleanAt, objectAt, objectsAt, stringAt, stringMapAt } from '#shared/apimachinery/object.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { NONE, UNKNOWN, ageOf, cellsOf, nameOf, textOr } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';
import { shownMetadata } from '#shared/serializer/table/shown-fields.ts';

function printNode(object: JsonObject): Cell[] {
  const info = objectAt(object, 'status', 'nodeInfo');
  const architecture = stringAt(info, 'architecture');
  const kernel = textOr(UNKNOWN, info, 'kernelVersion') + (architecture === '' ? '' : ` (${architecture})`);
  return [
    nameOf(object),
    nodeStatus(object),
    nodeRoles(object),
    ageOf(object),
    stringAt(info, 'kubeletVersion'),
    nodeAddress(object, 'InternalIP'),
    nodeAddress(object, 'ExternalIP'),
    textOr(UNKNOWN, info, 'osImage'),
    kernel,
    textOr(UNKNOWN, info, 'containerRuntimeVersion'),
  ];
}

function nodeStatus(node: JsonObject): string {
  const ready = objectsAt(node, 'status', 'conditions').findLast((item) => stringAt(item, 'type') === 'Ready');
  const status = ready === undefined ? 'Unknown' : stringAt(ready, 'status') === 'True' ? 'Ready' : 'NotReady';
  return booleanAt(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
}

const ROLE_PREFIX = 'node-role.kubernetes.io/';

function nodeRoles(node: JsonObject): string {
  const roles = [...stringMapAt(node, 'metadata', 'labels')].map(([key, value]) =>
    key.startsWith(ROLE_PREFIX) ? key.slice(ROLE_PREFIX.length) : key === 'kubernetes.io/role' ? value : '',
  );
  const unique = [...new Set(roles.filter((role) => role !== ''))].sort(compareUtf8);
  return unique.length === 0 ? NONE : unique.join(',');
}

function nodeAddress(node: JsonObject, type: string): string {
  const found = objectsAt(node, 'status', 'addresses').find((item) => stringAt(item, 'type') === type);
  return found === undefined ? NONE : stringAt(found, 'address');
}

export const nodeRows: KindRows = {
  print: cellsOf(printNode),
  reads: new JsonProjection({
    metadata: { ...shownMetadata, labels: 'all' },
    spec: { unschedulable: 'all' },
    status: { nodeInfo: 'all', addresses: 'all', conditions: { type: 'all', status: 'all' } },
  }),
};
