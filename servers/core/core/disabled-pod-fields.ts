import type { JsonObject } from '../../../shared/apimachinery/json.ts';
import { objectAt, objectsAt } from '../../../shared/apimachinery/object.ts';

/**
 * Fields of pods whose feature gates are off by default (pkg/api/pod/util.go DropDisabledPodFields): the ContainerStopSignals,
 * ClusterTrustBundleProjection, PodCertificateRequest and GenericWorkload features. Clients may write them; they are not kept.
 */
export function dropDisabledPodFields(spec: JsonObject | undefined): void {
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
