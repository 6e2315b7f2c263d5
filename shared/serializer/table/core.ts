import { compareUtf8 } from '../../apimachinery/go-format.ts';
import type { JsonObject } from '../../apimachinery/json.ts';
import {
  booleanAt,
  numberAt,
  objectAt,
  objectsAt,
  stringAt,
  stringMapAt,
  stringsAt,
} from '../../apimachinery/object.ts';
import type { Cell, RowPrinter } from './cells.ts';
import {
  NONE,
  UNKNOWN,
  UNSET,
  ageOf,
  cellsOf,
  containerCells,
  count,
  formatMap,
  isDeleted,
  keyCount,
  nameOf,
  quantityText,
  textOr,
} from './cells.ts';
import { printEvent } from './events.ts';
import { printPod } from './pods.ts';

function printReplicationController(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    count(object, 'spec', 'replicas'),
    count(object, 'status', 'replicas'),
    count(object, 'status', 'readyReplicas'),
    ageOf(object),
    ...containerCells(object, 'spec', 'template', 'spec'),
    formatMap(object, 'spec', 'selector'),
  ];
}

function printService(object: JsonObject): Cell[] {
  const ports = objectsAt(object, 'spec', 'ports').map((port) => {
    const nodePort = count(port, 'nodePort');
    return `${count(port, 'port')}${nodePort > 0 ? `:${nodePort}` : ''}/${stringAt(port, 'protocol')}`;
  });
  return [
    nameOf(object),
    stringAt(object, 'spec', 'type'),
    stringsAt(object, 'spec', 'clusterIPs')[0] ?? NONE,
    externalAddress(object),
    ports.length === 0 ? NONE : ports.join(','),
    ageOf(object),
    formatMap(object, 'spec', 'selector'),
  ];
}

function externalAddress(service: JsonObject): string {
  const external = stringsAt(service, 'spec', 'externalIPs');
  switch (stringAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return external.length === 0 ? NONE : external.join(',');
    case 'LoadBalancer': {
      const all = [...loadBalancerAddresses(service), ...external];
      return all.length === 0 ? '<pending>' : all.join(',');
    }
    case 'ExternalName':
      return stringAt(service, 'spec', 'externalName');
    default:
      return UNKNOWN;
  }
}

/** Addresses or host names of `status.loadBalancer`, each once, sorted. */
export function loadBalancerAddresses(object: JsonObject): string[] {
  const addresses = objectsAt(object, 'status', 'loadBalancer', 'ingress').map((item) =>
    textOr(stringAt(item, 'hostname'), item, 'ip'),
  );
  return [...new Set(addresses.filter((item) => item !== ''))].sort(compareUtf8);
}

function printEndpoints(object: JsonObject): Cell[] {
  const addresses = objectsAt(object, 'subsets').flatMap((subset) => {
    const ips = objectsAt(subset, 'addresses').map((item) => stringAt(item, 'ip'));
    const ports = objectsAt(subset, 'ports');
    if (ports.length === 0) return ips;
    return ports.flatMap((port) => ips.map((ip) => `${ip.includes(':') ? `[${ip}]` : ip}:${count(port, 'port')}`));
  });
  const more = addresses.length > 3 ? ` + ${addresses.length - 3} more...` : '';
  const text = objectsAt(object, 'subsets').length === 0 ? NONE : addresses.slice(0, 3).join(',') + more;
  return [nameOf(object), text, ageOf(object)];
}

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

const ACCESS_MODES = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(object: JsonObject, ...path: readonly string[]): string {
  const modes = stringsAt(object, ...path);
  return ACCESS_MODES.filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

/** One that is set to nothing is shown so. */
function attributesClass(object: JsonObject): string {
  const name = objectAt(object, 'spec')?.['volumeAttributesClassName'];
  return typeof name === 'string' ? name : UNSET;
}

function storageClass(object: JsonObject): string {
  const annotation = stringMapAt(object, 'metadata', 'annotations').get('volume.beta.kubernetes.io/storage-class');
  return annotation ?? stringAt(object, 'spec', 'storageClassName');
}

function printPersistentVolume(object: JsonObject): Cell[] {
  const claim = objectAt(object, 'spec', 'claimRef');
  return [
    nameOf(object),
    quantityText(object, 'spec', 'capacity', 'storage'),
    accessModes(object, 'spec', 'accessModes'),
    stringAt(object, 'spec', 'persistentVolumeReclaimPolicy'),
    isDeleted(object) ? 'Terminating' : stringAt(object, 'status', 'phase'),
    claim === undefined ? '' : `${stringAt(claim, 'namespace')}/${stringAt(claim, 'name')}`,
    storageClass(object),
    attributesClass(object),
    stringAt(object, 'status', 'reason'),
    ageOf(object),
    textOr(UNSET, object, 'spec', 'volumeMode'),
  ];
}

function printPersistentVolumeClaim(object: JsonObject): Cell[] {
  const volume = stringAt(object, 'spec', 'volumeName');
  const bound = volume !== '';
  return [
    nameOf(object),
    isDeleted(object) ? 'Terminating' : stringAt(object, 'status', 'phase'),
    volume,
    bound ? quantityText(object, 'status', 'capacity', 'storage') : '',
    bound ? accessModes(object, 'status', 'accessModes') : '',
    storageClass(object),
    attributesClass(object),
    ageOf(object),
    textOr(UNSET, object, 'spec', 'volumeMode'),
  ];
}

function printResourceQuota(object: JsonObject): Cell[] {
  const hard = [...stringMapAt(object, 'status', 'hard')].sort(([a], [b]) => compareUtf8(a, b));
  const columns = { requests: [] as string[], limits: [] as string[] };
  for (const [resource, limit] of hard) {
    const list = resource.startsWith('limits.') ? columns.limits : columns.requests;
    list.push(`${resource}: ${quantityText(object, 'status', 'used', resource)}/${limit}`);
  }
  return [nameOf(object), columns.requests.join(', '), columns.limits.join(', '), ageOf(object)];
}

function printComponentStatus(object: JsonObject): Cell[] {
  const healthy = objectsAt(object, 'conditions').find((item) => stringAt(item, 'type') === 'Healthy');
  const status = healthy === undefined ? 'Unknown' : stringAt(healthy, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
  return [nameOf(object), status, stringAt(healthy, 'message'), stringAt(healthy, 'error')];
}

function printSecret(object: JsonObject): Cell[] {
  return [nameOf(object), stringAt(object, 'type'), keyCount(object, 'data'), ageOf(object)];
}

/** Answer of a delete, and errors. */
function printStatus(object: JsonObject): Cell[] {
  return [stringAt(object, 'status'), stringAt(object, 'reason'), stringAt(object, 'message')];
}

/** Printers of the core group by kind. */
export const CORE_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  ComponentStatus: cellsOf(printComponentStatus),
  ConfigMap: cellsOf((object) => [
    nameOf(object),
    keyCount(object, 'data') + keyCount(object, 'binaryData'),
    ageOf(object),
  ]),
  Endpoints: cellsOf(printEndpoints),
  Event: cellsOf(printEvent),
  Namespace: cellsOf((object) => [nameOf(object), stringAt(object, 'status', 'phase'), ageOf(object)]),
  Node: cellsOf(printNode),
  PersistentVolume: cellsOf(printPersistentVolume),
  PersistentVolumeClaim: cellsOf(printPersistentVolumeClaim),
  Pod: printPod,
  PodTemplate: cellsOf((object) => [
    nameOf(object),
    ...containerCells(object, 'template', 'spec'),
    formatMap(object, 'template', 'metadata', 'labels'),
  ]),
  ReplicationController: cellsOf(printReplicationController),
  ResourceQuota: cellsOf(printResourceQuota),
  Secret: cellsOf(printSecret),
  Service: cellsOf(printService),
  ServiceAccount: cellsOf((object) => [nameOf(object), ageOf(object)]),
  Status: cellsOf(printStatus),
};

/** A count as the scale subresource shows it. */
export function printScale(object: JsonObject): Cell[] {
  return [
    nameOf(object),
    numberAt(object, 'spec', 'replicas') ?? 0,
    numberAt(object, 'status', 'replicas') ?? 0,
    ageOf(object),
  ];
}
