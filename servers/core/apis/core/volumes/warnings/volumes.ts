import type { Gates } from '#servers/core/gates/gates.ts';
import { firstWarnings } from '#servers/core/warnings/first-warnings.ts';
import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, isObject, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt } from '#shared/apimachinery/object.ts';
import { claimSpecWarnings } from './claim-specs.ts';
import { volumePathWarnings } from './volume-paths.ts';

/** Volume sources whose in-tree driver is removed or deprecated. */
const goneDrivers: JsonObject = {
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

/**
 * Warnings about deprecated sources of the pod volume or PersistentVolume spec at `field`, except the sources in
 * `unnoticed`.
 */
export function driverWarnings(
  sources: JsonObject,
  gates: Gates,
  field: Path,
  unnoticed: readonly string[] = [],
): string[] {
  return Object.keys(sources).flatMap((name) => {
    const text = name === 'gitRepo' && gates.GitRepoVolumeDriver ? 'deprecated in v1.11' : getKey(goneDrivers, name);
    return typeof text === 'string' && isObject(sources[name]) && !unnoticed.includes(name)
      ? [`${field.child(name === 'storageos' ? 'storageOS' : name).toString()}: ${text}`]
      : [];
  });
}

/** Warnings about the volumes of a pod spec (pkg/api/pod/warnings.go). */
export function podVolumeWarnings(spec: JsonObject, gates: Gates, field: Path): string[] {
  const volumes = objectsAt(spec, 'volumes');
  if (volumes.length === 0) return [];
  const list = field.child('volumes');
  const ofSources = firstWarnings(volumes, (volume, index) => {
    const claim = objectAt(volume, 'ephemeral', 'volumeClaimTemplate');
    const at = list.index(index);
    return [
      ...driverWarnings(volume, gates, at),
      ...(claim
        ? claimSpecWarnings(objectAt(claim, 'spec'), at.child('ephemeral', 'volumeClaimTemplate', 'spec'))
        : []),
    ];
  });
  return [...ofSources, ...firstWarnings(volumes, volumePathWarnings)];
}
