import { isObject, type JsonObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { Request } from '#test/conformance/series/series.ts';
import type { RuleCase } from './rule-case.ts';

const volumes = '/api/v1/persistentvolumes';
const pods = '/api/v1/namespaces/default/pods';
const secretRef = { name: 's', namespace: 'n' };

/** Sources of drivers in the tree, with every field; those in pods have secrets without a namespace. */
const sources: Readonly<Record<string, JsonObject>> = {
  awsElasticBlockStore: { volumeID: 'v', fsType: 'f', partition: 1, readOnly: true },
  azureDisk: { diskName: 'd', diskURI: '/subscriptions/x', cachingMode: 'None', fsType: 'f', kind: 'Managed' },
  azureFile: { secretName: 's', shareName: 'n', secretNamespace: 'n', readOnly: true },
  cephfs: { monitors: ['m'], path: '/p', user: 'u', secretFile: 'f', secretRef },
  cinder: { volumeID: 'v', fsType: 'f', secretRef },
  fc: { targetWWNs: ['w'], lun: 1, fsType: 'f' },
  flexVolume: { driver: 'example.com/d', fsType: 'f', secretRef, options: { a: 'b' } },
  flocker: { datasetName: 'd' },
  gcePersistentDisk: { pdName: 'p', fsType: 'f', partition: 1 },
  gitRepo: { repository: 'r', revision: 'x', directory: 'd' },
  glusterfs: { endpoints: 'e', path: 'p' },
  hostPath: { path: '/p', type: 'Directory' },
  iscsi: { targetPortal: 'p', iqn: 'iqn.2001-04.com.example:a', lun: 1, portals: ['q'] },
  local: { path: '/p' },
  nfs: { server: 's', path: '/p' },
  photonPersistentDisk: { pdID: 'p', fsType: 'f' },
  portworxVolume: { volumeID: 'v', fsType: 'f' },
  quobyte: { registry: 'r:1', volume: 'v', user: 'u', group: 'g', tenant: 't' },
  rbd: { monitors: ['m'], image: 'i', pool: 'p', keyring: 'k', user: 'u', secretRef },
  scaleIO: { gateway: 'g', system: 's', secretRef, volumeName: 'v', storageMode: 'ThinProvisioned' },
  storageos: { volumeName: 'v', volumeNamespace: 'n', secretRef: { name: 's' } },
  vsphereVolume: { volumePath: 'v', storagePolicyName: 'p' },
};

/** Values in the place of a field of the same type. */
function othersThan(value: JsonValue): readonly (JsonValue | undefined)[] {
  if (typeof value === 'string') return [undefined, '', '../x', 'A b/', `${value}:`];
  if (typeof value === 'number') return [undefined, -1, 0, 256];
  if (Array.isArray(value)) return [undefined, [], ['']];
  return isObject(value) ? [undefined, {}, { ...value, name: '' }] : [];
}

function variants(source: JsonObject): JsonObject[] {
  return [
    source,
    {},
    ...Object.entries(source).flatMap(([key, value]) =>
      othersThan(value).map((other) => {
        const { [key]: _left, ...rest } = source;
        return other === undefined ? rest : { ...rest, [key]: other };
      }),
    ),
  ];
}

function forPod(source: JsonObject): JsonObject {
  const secret = source['secretRef'];
  if (!isObject(secret)) return source;
  const { namespace: _namespace, ...rest } = secret;
  return { ...source, secretRef: rest };
}

function requestsFor(run: string, name: string, source: JsonObject): readonly Request[] {
  return variants(source).flatMap((one, index): Request[] => [
    {
      method: 'POST',
      path: `${volumes}?dryRun=All`,
      body: {
        metadata: { name: `${run}-${index}` },
        spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, [name]: one },
      },
    },
    {
      method: 'POST',
      path: `${pods}?dryRun=All`,
      body: {
        metadata: { name: `${run}-${index}` },
        spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', [name]: forPod(one) }] },
      },
    },
  ]);
}

/** A source may not change once the volume is there. */
function changeOf(run: string, name: string, source: JsonObject): readonly Request[] {
  return [
    {
      method: 'POST',
      path: volumes,
      body: {
        metadata: { name: run },
        spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, [name]: source },
      },
    },
    { method: 'PATCH', path: `${volumes}/${run}`, body: { spec: { [name]: { readOnly: true, fsType: 'x' } } } },
    { method: 'PATCH', path: `${volumes}/${run}`, body: { spec: { [name]: null, nfs: { server: 's', path: '/' } } } },
    { method: 'PATCH', path: `${volumes}/${run}`, body: { spec: { nfs: { server: 's', path: '/' } } } },
  ];
}

export const volumeSourceCases: readonly RuleCase[] = Object.entries(sources).map(([name, source]) => ({
  name: `volumes of ${name}`,
  covers: [`core/v1 PersistentVolumeSource.${name}`, `core/v1 VolumeSource.${name}`],
  requests: (run) => [...requestsFor(run, name, source), ...changeOf(run, name, source)],
}));
