/** A column whose description is that of a field, by the path of the field. */
type ColumnFields = Readonly<Record<string, string>>;

const everywhere: ColumnFields = { Name: 'metadata.name', Age: 'metadata.creationTimestamp', 'Created At': 'metadata.creationTimestamp' };

const byKind: Readonly<Record<string, ColumnFields>> = {
  '/ConfigMap': { Data: 'data' },
  '/Endpoints': { Endpoints: 'subsets' },
  '/Event': {
    'Last Seen': 'lastTimestamp', Type: 'type', Reason: 'reason', Subobject: 'involvedObject.fieldPath', Message: 'message',
    'First Seen': 'firstTimestamp', Count: 'count', Object: 'involvedObject', Source: 'source',
  },
  '/PersistentVolumeClaim': {
    Status: 'status.phase', Volume: 'spec.volumeName', Capacity: 'status.capacity', 'Access Modes': 'status.accessModes', VolumeMode: 'spec.volumeMode',
  },
  '/Pod': { IP: 'status.podIP', Node: 'spec.nodeName', 'Nominated Node': 'status.nominatedNodeName', 'Readiness Gates': 'spec.readinessGates' },
  '/ReplicationController': { Desired: 'spec.replicas', Current: 'status.replicas', Ready: 'status.readyReplicas', Selector: 'spec.selector' },
  '/Secret': { Type: 'type', Data: 'data' },
  '/Service': {
    Type: 'spec.type', 'Cluster-IP': 'spec.clusterIP', 'External-IP': 'spec.externalIPs', 'Port(s)': 'spec.ports', Selector: 'spec.selector',
  },
  'apps/DaemonSet': {
    Desired: 'status.desiredNumberScheduled', Current: 'status.currentNumberScheduled', Ready: 'status.numberReady',
    'Up-to-date': 'status.updatedNumberScheduled', Available: 'status.numberAvailable', 'Node Selector': 'spec.template.spec.nodeSelector', Selector: 'spec.selector',
  },
  'apps/Deployment': { Selector: 'spec.selector', 'Up-to-date': 'status.updatedReplicas', Available: 'status.availableReplicas' },
  'apps/ReplicaSet': { Selector: 'spec.selector', Desired: 'spec.replicas', Current: 'status.replicas', Ready: 'status.readyReplicas' },
  'autoscaling/HorizontalPodAutoscaler': { Reference: 'spec.scaleTargetRef', Targets: 'spec.metrics', MinPods: 'spec.minReplicas', MaxPods: 'spec.maxReplicas', Replicas: 'status.currentReplicas' },
  'batch/CronJob': {
    Schedule: 'spec.schedule', Timezone: 'spec.timeZone', Suspend: 'spec.suspend', Active: 'status.active', 'Last Schedule': 'status.lastScheduleTime', Selector: 'spec.jobTemplate.spec.selector',
  },
  'batch/Job': { Selector: 'spec.selector', Completions: 'status.succeeded' },
  'discovery.k8s.io/EndpointSlice': { AddressType: 'addressType', Ports: 'ports', Endpoints: 'endpoints' },
};

/** The path of the field whose description the column has; undefined where the printer words its own, which we do not copy. */
export function fieldOfColumn(group: string, kind: string, column: string): string | undefined {
  const own = byKind[`${group}/${kind}`];
  if (own !== undefined && Object.hasOwn(own, column)) return own[column];
  return Object.hasOwn(everywhere, column) ? everywhere[column] : undefined;
}
