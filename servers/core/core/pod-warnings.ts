import { objectAt, objectsAt, type KubeObject } from '../../../shared/apimachinery/object.ts';

/** Sources of volumes whose driver is gone from the tree, or goes (pkg/api/pod/warnings.go). */
const goneDrivers: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

/** Warnings about a new pod, in the reference's words. */
export function podWarnings(pod: KubeObject): string[] {
  return objectsAt(pod, 'spec', 'volumes').flatMap((volume, index) =>
    Object.entries(goneDrivers).filter(([name]) => objectAt(volume, name)).map(([name, text]) => `spec.volumes[${index}].${name === 'storageos' ? 'storageOS' : name}: ${text}`));
}
