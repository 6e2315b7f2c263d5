import { objectAt, objectsAt, stringAt, type KubeObject } from '../../apimachinery/object.ts';
import type { ObjectLister } from '../object-lister.ts';

export interface AudienceObjects {
  readonly claims: ObjectLister;
  readonly volumes: ObjectLister;
  readonly drivers: ObjectLister;
}

/** Whether a volume of the pod needs tokens for the audience: a projected one, or one of a CSI driver that asks for them. */
export async function podNamesAudience(objects: AudienceObjects, pod: KubeObject, audience: string): Promise<boolean> {
  for (const volume of objectsAt(pod, 'spec', 'volumes')) {
    const tokens = objectsAt(volume, 'projected', 'sources').flatMap((source) => objectAt(source, 'serviceAccountToken') ?? []);
    if (tokens.some((token) => stringAt(token, 'audience') === audience)) return true;
    const inline = stringAt(volume, 'csi', 'driver');
    const ephemeral = objectAt(volume, 'ephemeral', 'volumeClaimTemplate') === undefined ? '' : `${pod.metadata.name ?? ''}-${stringAt(volume, 'name')}`;
    const claim = ephemeral || stringAt(volume, 'persistentVolumeClaim', 'claimName');
    const driver = inline || (claim === '' ? '' : await driverOfClaim(objects, pod.metadata.namespace ?? '', claim));
    if (driver === '') continue;
    const found = await objects.drivers.get('', driver);
    if (objectsAt(found, 'spec', 'tokenRequests').some((request) => stringAt(request, 'audience') === audience)) return true;
  }
  return false;
}

async function driverOfClaim({ claims, volumes }: AudienceObjects, namespace: string, name: string): Promise<string> {
  const volumeName = stringAt(await claims.get(namespace, name), 'spec', 'volumeName');
  return volumeName === '' ? '' : stringAt(await volumes.get('', volumeName), 'spec', 'csi', 'driver');
}
