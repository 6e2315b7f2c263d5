import type { GroupKind } from '../../apimachinery/gvk.ts';
import { JsonProjection, type Wanted } from '../../apimachinery/json-projection.ts';

// What the printers beside this read of the kinds of which there are many, or large ones: the rest of an object is
// passed over.

type Fields = Exclude<Wanted, string>;

const metadata: Fields = { name: 'all', creationTimestamp: 'all', deletionTimestamp: 'all' };
const template: Fields = { spec: { containers: { name: 'all', image: 'all' }, nodeSelector: 'all' } };
const workload: Fields = { metadata, spec: { replicas: 'all', selector: 'all', template }, status: 'all' };
const containerStatus: Fields = {
  name: 'all',
  state: 'all',
  lastState: 'all',
  ready: 'all',
  started: 'all',
  restartCount: 'all',
};

const pod: Fields = {
  metadata,
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
};

const node: Fields = {
  metadata: { ...metadata, labels: 'all' },
  spec: { unschedulable: 'all' },
  status: { nodeInfo: 'all', addresses: 'all', conditions: { type: 'all', status: 'all' } },
};

const job: Fields = {
  metadata,
  spec: { completions: 'all', parallelism: 'all', selector: 'all', template },
  status: 'all',
};

const shown: ReadonlyMap<string, ReadonlyMap<string, JsonProjection>> = new Map([
  [
    '',
    kinds({
      ConfigMap: { metadata, data: 'keys', binaryData: 'keys' },
      Secret: { metadata, type: 'all', data: 'keys' },
      Pod: pod,
      Node: node,
      ReplicationController: workload,
      ServiceAccount: { metadata },
      Namespace: { metadata, status: { phase: 'all' } },
    }),
  ],
  ['apps', kinds({ Deployment: workload, ReplicaSet: workload, StatefulSet: workload, DaemonSet: workload })],
  ['batch', kinds({ Job: job })],
]);

function kinds(fields: Readonly<Record<string, Fields>>): ReadonlyMap<string, JsonProjection> {
  return new Map(Object.entries(fields).map(([kind, wanted]) => [kind, new JsonProjection(wanted)]));
}

/** Reads what the row of a kind shows; undefined for kinds whose objects are read whole. */
export function shownFields({ group, kind }: GroupKind): JsonProjection | undefined {
  return shown.get(group)?.get(kind);
}
