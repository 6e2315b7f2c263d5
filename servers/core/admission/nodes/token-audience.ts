import type { ObjectLister } from '#shared/admission/contract/object-lister.ts';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { newNotFound } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';

export interface AudienceObjects {
  readonly claims: ObjectLister;
  readonly volumes: ObjectLister;
  readonly drivers: ObjectLister;
}

/**
 * The CSI drivers that replaced in-tree volume plugins (csi-translation-lib/plugins), by the field of the volume.
 */
const driversOfFields = Object.entries({
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
});

/**
 * Whether a volume of the pod needs tokens for the audience: a projected volume, or one of a CSI driver that requests
 * such tokens.
 * @throws Error in the reference's words if no volume does, and a claim, volume or driver was not found
 */
export async function podNamesAudience(objects: AudienceObjects, pod: KubeObject, audience: string): Promise<boolean> {
  const missing: string[] = [];
  for (const volume of objectsAt(pod, 'spec', 'volumes')) {
    const tokens = objectsAt(volume, 'projected', 'sources').flatMap(
      (source) => objectAt(source, 'serviceAccountToken') ?? [],
    );
    if (tokens.some((token) => stringAt(token, 'audience') === audience)) return true;
    try {
      const driver = await driverOfVolume(objects, pod, volume);
      if (driver === '') continue;
      const { spec } = found(await objects.drivers.get('', driver), 'storage.k8s.io', 'csidriver', driver);
      if (objectsAt(spec, 'tokenRequests').some((request) => stringAt(request, 'audience') === audience)) return true;
    } catch (error) {
      missing.push(error instanceof Error ? error.message : String(error));
    }
  }
  if (missing.length > 0) throw new Error(aggregateMessages(missing));
  return false;
}

/** The CSI driver of a volume; empty if it has none. */
async function driverOfVolume(objects: AudienceObjects, pod: KubeObject, volume: JsonObject): Promise<string> {
  const ephemeral =
    objectAt(volume, 'ephemeral', 'volumeClaimTemplate') === undefined
      ? ''
      : `${pod.metadata.name ?? ''}-${stringAt(volume, 'name')}`;
  const claim = ephemeral || stringAt(volume, 'persistentVolumeClaim', 'claimName');
  if (claim !== '') return driverOfClaim(objects, pod.metadata.namespace ?? '', claim);
  return stringAt(volume, 'csi', 'driver') || driverBy(volume);
}

async function driverOfClaim({ claims, volumes }: AudienceObjects, namespace: string, name: string): Promise<string> {
  const claim = found(await claims.get(namespace, name), '', 'persistentvolumeclaim', name);
  const volumeName = stringAt(claim, 'spec', 'volumeName');
  const { spec } = found(
    volumeName === '' ? undefined : await volumes.get('', volumeName),
    '',
    'persistentvolume',
    volumeName,
  );
  return stringAt(spec, 'csi', 'driver') || driverBy(spec);
}

function driverBy(source: JsonValue | undefined): string {
  return driversOfFields.find(([field]) => objectAt(source, field) !== undefined)?.[1] ?? '';
}

/** Returns the object, or throws NotFound; like the reference's listers, the error has the resource in the singular. */
function found(object: KubeObject | undefined, group: string, resource: string, name: string): KubeObject {
  if (object === undefined) throw newNotFound({ group, resource }, name);
  return object;
}
