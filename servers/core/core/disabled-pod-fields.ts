import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';
import type { Strategy } from '../../../shared/registry/strategy.ts';

/** Where the pod specs of a resource are. */
const podSpecs: Readonly<Record<string, readonly string[]>> = {
  '/pods': ['spec'], '/podtemplates': ['template', 'spec'], '/replicationcontrollers': ['spec', 'template', 'spec'],
  'apps/daemonsets': ['spec', 'template', 'spec'], 'apps/deployments': ['spec', 'template', 'spec'], 'apps/replicasets': ['spec', 'template', 'spec'],
  'apps/statefulsets': ['spec', 'template', 'spec'], 'batch/jobs': ['spec', 'template', 'spec'], 'batch/cronjobs': ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
};

/**
 * Fields of pods whose feature gates are off by default (pkg/api/pod/util.go DropDisabledPodFields): the ContainerStopSignals,
 * ClusterTrustBundleProjection, PodCertificateRequest and GenericWorkload features. Clients may write them; they are not kept.
 */
function dropDisabledFields(spec: JsonObject | undefined): void {
  if (spec === undefined) return;
  delete spec['schedulingGroup'];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const container of objectsAt(spec, list)) dropStopSignal(container);
  }
  for (const volume of objectsAt(spec, 'volumes')) {
    for (const source of objectsAt(volume, 'projected', 'sources')) {
      delete source['clusterTrustBundle'];
      delete source['podCertificate'];
    }
  }
}

function dropStopSignal(container: JsonObject): void {
  const lifecycle = objectAt(container, 'lifecycle');
  if (lifecycle?.['stopSignal'] === undefined) return;
  delete lifecycle['stopSignal'];
  if (Object.keys(lifecycle).length === 0) delete container['lifecycle'];
}

/** A strategy whose pod specs have none of the fields that are turned off. */
export function withoutDisabledPodFields(key: string, strategy: Strategy): Strategy {
  const steps = podSpecs[key];
  if (steps === undefined) return strategy;
  const drop = (object: KubeObject): void => dropDisabledFields(objectAt(object, ...steps));
  return {
    ...strategy,
    prepareForCreate(context, object) {
      drop(object);
      strategy.prepareForCreate?.(context, object);
    },
    prepareForUpdate(context, object, old) {
      drop(object);
      strategy.prepareForUpdate?.(context, object, old);
    },
  };
}
